import APNSimGzip
import Testing

@Suite struct `A gzip stream` {
  @Test func `a gzip stream can be ended where it was flushed, without the deflater going on`() throws {
    let text = Array(String(repeating: "one line and another\n", count: 500).utf8)
    let deflater = try GzipDeflater(level: 3)
    var file: [UInt8] = []
    for part in [text[..<100], text[100..<101], text[101...]] {
      try Array(part).withUnsafeBytes { try deflater.deflate($0, .sync) { file.append(contentsOf: $0) } }
      let inflated = try Self.inflate(file + deflater.ending)
      #expect(inflated.isWhole)
      #expect(inflated.text == text[..<part.endIndex][...])
      let cut = try Self.inflate(file)
      #expect(!cut.isWhole && cut.text == inflated.text)
    }
  }

  private static func inflate(_ bytes: [UInt8]) throws -> (text: ArraySlice<UInt8>, isWhole: Bool) {
    let inflater = try GzipInflater()
    var text = [UInt8](repeating: 0, count: 20_000)
    var (consumed, produced) = (0, 0)
    while consumed < bytes.count {
      let step = try bytes[consumed...].withUnsafeBytes { input in
        try text.withUnsafeMutableBytes {
          try inflater.inflate(input, into: UnsafeMutableRawBufferPointer(rebasing: $0[produced...]))
        }
      }
      guard step.consumed + step.produced > 0 else { break }
      consumed += step.consumed
      produced += step.produced
    }
    return (text[..<produced], inflater.isAtEnd)
  }
}
