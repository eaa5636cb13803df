import APNSimWire
import Testing

/// Nothing that arrives may stop the process: random bytes, and good bytes with a few changed.
struct HostileBytesTests {
  static let seeds = 0..<8 as Range<UInt64>

  @Test(arguments: seeds)
  func `the decoder takes any bytes, and always moves on`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      var bytes =
        round % 2 == 0
        ? generator.bytes(Int.random(in: 0...80, using: &generator))
        : mutated(generator.notification().encode(), &generator)
      if !bytes.isEmpty, Bool.random(using: &generator) {
        bytes[0] = UInt8.random(in: 0...3, using: &generator)
      }
      for mode in [FrameDecoder.Mode.reading, .judging(FrameLimits())] {
        bytes.withUnsafeBytes { buffer in
          var offset = 0
          while let frame = FrameDecoder.next(in: buffer, from: offset, mode: mode) {
            #expect(frame.start == offset && frame.end > offset && frame.end <= bytes.count)
            #expect(frame.token.upperBound <= frame.end && frame.payload.upperBound <= frame.end)
            #expect((offset..<frame.end).contains(frame.defectOffset))
            let lines = AnnotatedHex.lines(of: frame, in: buffer)
            #expect(lines.flatMap(\.bytes) == Array(buffer[offset..<frame.end]))
            _ = AnnotatedHex.render(lines)
            _ = Array(FrameItems(frame, in: buffer))
            offset = frame.end
          }
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `the judge and the parser take any bytes, and agree`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 100)
    let samples = GrammarCase.values.map {
      Array(#"{"aps":{"alert":{"loc-args":["a"]},"badge":1},"x":"#.utf8) + $0.json.utf8 + [0x7D]
    }
    let alphabet =
      Array(#"{}[]":,\ue0123456789.-+ truefalsn"#.utf8) + [0, 9, 0x80, 0xC3, 0xA9, 0xD8, 0xED, 0xF0, 0xFF]
    for round in 0..<3_000 {
      let bytes: [UInt8] =
        switch round % 3 {
        case 0: generator.bytes(Int.random(in: 0...64, using: &generator))
        case 1:
          (0..<Int.random(in: 0...64, using: &generator)).compactMap { _ in
            alphabet.randomElement(using: &generator)
          }
        default: mutated(samples.randomElement(using: &generator) ?? [], &generator)
        }
      let verdict = judge(bytes)
      #expect(verdict.offset >= 0 && verdict.offset <= bytes.count)
      _ = PayloadDiagnosis(verdict, payload: bytes).description
      let value = try? JSONValue.parse(bytes)
      #expect((value != nil) == verdict.problem.isJSON)
      if let value {
        #expect((try? JSONValue.parse(value.description)) == value)
      }
    }
  }

  @Test(arguments: seeds)
  func `text decoders take any text`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 200)
    for _ in 0..<1_000 {
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
