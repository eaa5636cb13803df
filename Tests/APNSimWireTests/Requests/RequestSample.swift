import APNSimWire

/// A request as a provider writes it: header lines and a body, and what becomes of them.
struct RequestSample {
  var headers: [(name: String, value: String)]
  var body = payload

  /// A good push, unless some of it is replaced or added; a value of nil leaves the header out.
  init(
    path: String = "/3/device/\(hexToken)",
    method: String = "POST",
    _ changes: KeyValuePairs<String, String?> = [:]
  ) {
    headers = [
      (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
      ("authorization", "bearer a.b.c"), ("apns-topic", "com.example.sim"),
    ]
    for (name, value) in changes {
      headers.removeAll { $0.name == name }
      if let value { headers.append((name, value)) }
    }
  }

  /// A good broadcast, likewise.
  static func broadcast(_ changes: KeyValuePairs<String, String?> = [:]) -> RequestSample {
    var sample = RequestSample(
      path: "/4/broadcasts/apps/com.example.sim",
      [
        "apns-topic": nil, "apns-channel-id": "AAAAAAAAAAAAAAAAAAAAAA==", "apns-expiration": "0",
        "apns-push-type": "liveactivity", "apns-priority": "5",
      ]
    )
    for (name, value) in changes {
      sample.headers.removeAll { $0.name == name }
      if let value { sample.headers.append((name, value)) }
    }
    return sample
  }

  static func channel(_ body: String, method: String = "POST", id: String? = nil) -> RequestSample {
    var sample = RequestSample(
      path: "/1/apps/com.example.sim/channels",
      method: method,
      ["apns-topic": nil, "apns-channel-id": id]
    )
    sample.body = Array(body.utf8)
    return sample
  }

  func with(body: [UInt8]) -> RequestSample {
    var sample = self
    sample.body = body
    return sample
  }

  /// Decodes the header block and hands out the request with the buffer that its ranges are in.
  func decoded<Result>(_ use: (Request, UnsafeRawBufferPointer) -> Result) -> Result {
    var bytes: [UInt8] = []
    func range(_ text: String) -> ByteRange {
      let start = UInt32(bytes.count)
      bytes += text.utf8
      return ByteRange(start: start, count: UInt32(text.utf8.count))
    }
    let fields = headers.map { HeaderField(name: range($0.name), value: range($0.value)) }
    return bytes.withUnsafeBytes { buffer in
      let request = fields.withUnsafeBufferPointer {
        RequestDecoder.decode($0, in: buffer, bodyCount: body.count)
      }
      return use(request, buffer)
    }
  }

  func verdict(_ rules: RequestRules = RequestRules(), _ world: StatedWorld = StatedWorld()) -> RequestVerdict
  {
    decoded { request, buffer in
      body.withUnsafeBytes { RequestJudge.judge(request, in: buffer, body: $0, rules: rules, world: world) }
    }
  }

  func reason(_ rules: RequestRules = RequestRules(), _ world: StatedWorld = StatedWorld()) -> Reason? {
    verdict(rules, world).reason
  }

  /// The status, the header lines and the body of the answer.
  func answer(
    _ reason: Reason? = nil,
    timestamp: Int64? = nil,
    sandbox: Bool = false,
    channel: String = "",
    quirks: RequestRules.Quirks = []
  ) -> (status: UInt16, headers: [String], body: String) {
    decoded { request, buffer in
      let answer = Answer(
        to: request,
        in: buffer,
        reason: reason,
        timestamp: timestamp,
        made: Identifier(random: 0xABCD_EF01_2345_6789, 0xABCD_EF01_2345_6789),
        unique: sandbox ? Identifier(random: 0xFEDC_BA98_7654_3210, 0xFEDC_BA98_7654_3210) : nil,
        quirks: quirks
      )
      var lines: [String] = []
      Array(channel.utf8).withUnsafeBytes { channel in
        answer.withHeaders(in: buffer, channel: channel) { name, value in
          lines.append("\(name): \(String(decoding: value, as: UTF8.self))")
        }
      }
      var body: [UInt8] = []
      answer.appendBody(to: &body)
      return (answer.status, lines, String(decoding: body, as: UTF8.self))
    }
  }
}
