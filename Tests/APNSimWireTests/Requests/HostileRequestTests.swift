import APNSimWire
import Testing

/// Nothing in a header list or a body may stop the process.
struct HostileRequestTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `any header list is decoded, judged, explained and answered`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let names = RequestHeader.allCases.map { "\($0.name)" } + [":path", ":method", ":authority", "", "x"]
    let values = [
      "", "/3/device/", "/3/device/ab", "/1/apps/a/channels", "/1/apps/channels", "/1/apps/all-channels",
      "/4/broadcasts/apps/a", "POST", "GET", "DELETE", "10", "5", "0", "AAAA", "liveactivity", "background",
      "com.example.voip", "bearer x", "9223372036854775807", "9223372036854775808",
      "123e4567-e89b-12d3-a456-4266554400a0",
    ]
    for round in 0..<600 {
      var sample = RequestSample()
      sample.headers = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        let noise = String(
          decoding: generator.bytes(Int.random(in: 0...40, using: &generator)),
          as: UTF8.self
        )
        let value = round % 3 == 0 ? noise : values.randomElement(using: &generator) ?? ""
        return (names.randomElement(using: &generator) ?? "", value)
      }
      sample.body = generator.bytes(Int.random(in: 0...40, using: &generator))
      let verdict = sample.verdict()
      #expect((verdict.failed == .none) == (verdict.reason == nil))
      #expect(!sample.explanations().isEmpty)
      #expect(!sample.answer(verdict.reason, sandbox: true).headers.isEmpty)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `ranges that leave the buffer read as nothing`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed + 100)
    let bytes = generator.bytes(64) + Array(":path/3/device/abapns-topicapns-idauthorizationbearer ".utf8)
    for _ in 0..<2_000 {
      func range() -> ByteRange {
        let isWild = Bool.random(using: &generator)
        return ByteRange(
          start: UInt32.random(in: 0...(isWild ? .max : 130), using: &generator),
          count: UInt32.random(in: 0...(isWild ? .max : 20), using: &generator)
        )
      }
      let fields = (0..<8).map { _ in HeaderField(name: range(), value: range()) }
      bytes.withUnsafeBytes { buffer in
        let request = fields.withUnsafeBufferPointer {
          RequestDecoder.decode($0, in: buffer, bodyCount: 1)
        }
        let verdict = RequestJudge.judge(
          request,
          in: buffer,
          body: buffer,
          rules: RequestRules(),
          world: StatedWorld()
        )
        let lines = RequestExplainer(request, verdict, rules: RequestRules(), in: buffer).explanations
        #expect(!lines.isEmpty)
      }
    }
  }
}
