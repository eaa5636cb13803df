import APNSimTestSupport
import APNSimWire
import Testing

/// Nothing that arrives may stop the process: random bytes, and good bytes with a few changed.
struct HostileBytesTests {
  static let seeds = 0..<8 as Range<UInt64>

  @Test(arguments: seeds)
  func `the decoder takes any bytes, and always moves on`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<500 {
      var bytes =
        round % 2 == 0
        ? generator.bytes(Int.random(in: 0...80, using: &generator))
        : mutated(generator.notification().encode(), &generator)
      if !bytes.isEmpty { bytes[0] %= 4 }
      for mode in [FrameDecoder.Mode.reading, .judging(FrameLimits())] {
        #expect(bytes.withUnsafeBytes { isSound($0, mode) }, "\(Hex.encode(bytes))")
      }
    }
  }

  /// Checks that every frame lies within the bytes, after the one before it, and its fields within it; up to the
  /// fifth, since rubbish is a frame per byte.
  private func isSound(_ buffer: UnsafeRawBufferPointer, _ mode: FrameDecoder.Mode) -> Bool {
    var offset = 0
    for _ in 0..<5 {
      guard let frame = FrameDecoder.next(in: buffer, from: offset, mode: mode) else { return true }
      let lines = AnnotatedHex.lines(of: frame, in: buffer)
      guard frame.start == offset, frame.end > offset, frame.end <= buffer.count,
        frame.token.upperBound <= frame.end, frame.payload.upperBound <= frame.end,
        (offset..<frame.end).contains(frame.defectOffset),
        lines.flatMap(\.bytes) == Array(buffer[offset..<frame.end]),
        AnnotatedHex.render(lines).count > lines.count,
        FrameItems(frame, in: buffer).allSatisfy({ $0.data.upperBound <= frame.end })
      else { return false }
      offset = frame.end
    }
    return true
  }

  @Test(arguments: seeds)
  func `the judge and the parser take any bytes, and agree`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 100)
    let head = Array(#"{"aps":{"alert":{"loc-args":["a"]},"badge":1},"x":"#.utf8)
    let samples = GrammarCase.values.map { head + $0.json.utf8 + [UInt8(ascii: "}")] }
    let alphabet =
      Array(#"{}[]":,\ue0123456789.-+ truefalsn"#.utf8) + [0, 9, 0x80, 0xC3, 0xA9, 0xD8, 0xED, 0xF0, 0xFF]
    for round in 0..<1_500 {
      let length = Int.random(in: 0...64, using: &generator)
      let bytes =
        switch round % 3 {
        case 0: generator.bytes(length)
        case 1: (0..<length).compactMap { _ in alphabet.randomElement(using: &generator) }
        default: mutated(samples.randomElement(using: &generator) ?? [], &generator)
        }
      #expect(isSound(bytes), "\(Hex.encode(bytes))")
    }
  }

  /// Checks that the verdict lies within the bytes, the parser agrees with it, and a parsed tree can be written and
  /// read back.
  private func isSound(_ bytes: [UInt8]) -> Bool {
    let verdict = judge(bytes)
    guard verdict.offset >= 0, verdict.offset <= bytes.count,
      !PayloadDiagnosis(verdict, payload: bytes).description.isEmpty
    else { return false }
    guard let value = try? JSONValue.parse(bytes) else { return !verdict.problem.isJSON }
    return verdict.problem.isJSON && (try? JSONValue.parse(value.description)) == value
  }

  @Test(arguments: seeds)
  func `text decoders take any text`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 200)
    for _ in 0..<500 {
      let text = String(decoding: generator.bytes(Int.random(in: 0...40, using: &generator)), as: UTF8.self)
      if let bytes = Hex.decode(text) { #expect(Hex.encode(bytes) == text.lowercased()) }
      if let bytes = Base64.decode(text) { #expect(Base64.encode(bytes) == text) }
      _ = Hex.decode(commented: text)
      _ = NotificationIdentifier(hex: text)
      var decoder = FeedbackTupleDecoder()
      _ = decoder.decode(text.utf8)
    }
  }

  /// The bytes with a few of them changed, dropped or doubled.
  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch UInt8.random(in: 0...3, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(bytes[index], at: index)
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }
}
