import APNSimWire
import Testing

struct FeedbackTupleTests {
  private let tuple = FeedbackTuple(timestamp: 1_338_508_800, token: token)

  @Test func `a tuple with a token of 32 bytes has 38`() {
    var bytes: [UInt8] = []
    tuple.encode(into: &bytes)
    #expect(bytes == hex("4fc80600 0020 \(hexToken)"))
    #expect(bytes.count == 38)
  }

  @Test func `a timestamp is unsigned and a token may have any length`() {
    for length in [0, 1, 54, 65_535] {
      let tuple = FeedbackTuple(timestamp: .max, token: [UInt8](repeating: 7, count: length))
      var decoder = FeedbackTupleDecoder()
      #expect(decoder.decode(encoded([tuple])) == [tuple])
    }
  }

  @Test func `a token too long to declare is cut, not a trap`() {
    let bytes = encoded([FeedbackTuple(timestamp: 1, token: [UInt8](repeating: 7, count: 70_000))])
    #expect(bytes.count == 6 + 65_535)
  }

  @Test func `tuples survive any chunking`() {
    let tuples = (0..<20).map { FeedbackTuple(timestamp: $0, token: Array(repeating: 1, count: Int($0) * 3)) }
    let bytes = encoded(tuples)
    for size in [1, 2, 5, 6, 7, 38, bytes.count] {
      var decoder = FeedbackTupleDecoder()
      var seen: [FeedbackTuple] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        seen += decoder.decode(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(seen == tuples)
      #expect(decoder.pendingByteCount == 0)
    }
  }

  @Test func `a truncated last tuple stays pending and is counted`() {
    var decoder = FeedbackTupleDecoder()
    #expect(decoder.decode(encoded([tuple, tuple]).dropLast()) == [tuple])
    #expect(decoder.pendingByteCount == 37)
  }

  @Test func `an offset outside the buffer decodes to nothing`() {
    encoded([tuple]).withUnsafeBytes { buffer in
      #expect(FeedbackTuple.decode(buffer, from: 38)?.end == nil)
      #expect(FeedbackTuple.decode(buffer, from: 39)?.end == nil)
      #expect(FeedbackTuple.decode(buffer, from: -1)?.end == nil)
    }
  }

  private func encoded(_ tuples: [FeedbackTuple]) -> [UInt8] {
    var bytes: [UInt8] = []
    for tuple in tuples { tuple.encode(into: &bytes) }
    return bytes
  }
}
