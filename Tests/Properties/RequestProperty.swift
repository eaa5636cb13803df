import APNSimCore
import APNSimTestSupport
import APNSimWire

/// A header list and a body: decoded, judged, explained and answered alike wherever that is done, and by the core with
/// one answer.
enum RequestProperty {
  /// The first byte chooses settings and the world; then lines `name: value` up to an empty one, then the body.
  static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let (headers, body) = read(input.dropFirst())
    return wireViolation(headers, body, choice) ?? coreViolation(headers, body, choice)
  }

  typealias Headers = [(name: [UInt8], value: [UInt8])]

  static func read(_ text: ArraySlice<UInt8>) -> (Headers, [UInt8]) {
    var headers: Headers = []
    var rest = text
    while let end = rest.firstIndex(of: 0x0A) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      guard !line.isEmpty else { break }
      // The colon of a pseudo-header is part of its name.
      let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
      let value = line[colon...].dropFirst()
      headers.append((Array(line[..<colon]), Array(value.first == 0x20 ? value.dropFirst() : value)))
    }
    return (headers, Array(rest))
  }

  // MARK: - Decoder and judge

  private static func wireViolation(_ headers: Headers, _ body: [UInt8], _ choice: UInt8) -> String? {
    let rules = RequestRules(quirks: RequestRules.Quirks(rawValue: choice & 0x1F))
    let world = StatedWorld(hasCertificate: choice & 32 != 0, needsTopic: choice & 64 == 0)
    var bytes: [UInt8] = []
    func range(_ text: [UInt8]) -> ByteRange {
      defer { bytes += text }
      return ByteRange(start: UInt32(bytes.count), count: UInt32(text.count))
    }
    let fields = headers.map { HeaderField(name: range($0.name), value: range($0.value)) }
    return bytes.withUnsafeBytes { buffer in
      body.withUnsafeBytes { body in
        let request = fields.withUnsafeBufferPointer {
          RequestDecoder.decode($0, in: buffer, bodyCount: body.count)
        }
        let verdict = RequestJudge.judge(request, in: buffer, body: body, rules: rules, world: world)
        guard (verdict.failed == .none) == (verdict.reason == nil) else {
          return "failed \(verdict.failed), reason \(String(describing: verdict.reason))"
        }
        let lines = RequestExplainer(request, verdict, rules: rules, in: buffer).explanations
        guard lines.dropLast().allSatisfy(\.isPassed), lines.last?.isPassed == (verdict.reason == nil) else {
          return "the explanation does not end with \(verdict.failed)"
        }
        guard let longest = lines.map(\.found.utf8.count).max(), longest <= 1024 else {
          return "an explanation is too long"
        }
        return answerViolation(
          Answer(to: request, in: buffer, reason: verdict.reason, made: Identifier(random: 1, 2)),
          in: buffer
        )
      }
    }
  }

  private static func answerViolation(_ answer: Answer, in buffer: UnsafeRawBufferPointer) -> String? {
    guard (answer.status >= 300) == (answer.reason != nil) else { return "status \(answer.status)" }
    var identifiers = 0
    answer.withHeaders(in: buffer) { name, value in
      if Identifier.isCanonical(value) { identifiers += 1 }
    }
    guard identifiers == 1 else { return "\(identifiers) identifiers are answered" }
    var body: [UInt8] = []
    answer.appendBody(to: &body)
    return body.isEmpty == (answer.reason == nil) && (body.isEmpty || (try? JSONValue.parse(body)) != nil)
      ? nil : "the body of the answer is \(String(decoding: body, as: UTF8.self))"
  }

  // MARK: - Core

  private static func coreViolation(_ headers: Headers, _ body: [UInt8], _ choice: UInt8) -> String? {
    let facts = ProviderTokenFacts(
      number: 1,
      keyID: "KEY",
      teamID: "TEAM",
      issuedAt: 1_338_508_800,
      verdict: choice & 16 == 0 ? .good : .badSignature
    )
    let authorization = choice & 32 != 0 ? RequestAuthorization.certificate : .bearer(facts)
    let request = ProviderRequest(stream: 1, headers: headers, body: body, authorization: authorization)
    guard let evidence = request.bytes.withUnsafeBytes({ RequestEvidence($0)?.fields }),
      evidence.count == headers.count
    else { return "the evidence has not every header" }
    guard ProviderRequest(evidence: request.bytes) == request else {
      return "the evidence is read as another"
    }
    guard let once = run([request, request], choice, reads: 1),
      let twice = run([request, request], choice, reads: 2)
    else { return "the simulator did not start" }
    guard once.count <= 2 else { return "\(once.count) answers to two requests" }
    return once == twice ? nil : "in two reads the answers differ"
  }

  private static func run(_ requests: [ProviderRequest], _ choice: UInt8, reads: Int) -> [RequestAnswer]? {
    var configuration = Configuration()
    if choice & 1 != 0 { configuration.tokens = .any }
    let app = AppKey(topic: "com.example.fuzz", environment: .production)
    var scenario = Scenario()
    scenario.clock = .virtual(start: Timestamp(seconds: 1_338_508_800))
    scenario.devices = [
      DeviceSpecification(
        name: "offline",
        isOnline: choice & 2 == 0,
        apps: [AppSpecification(app: app, token: Array(repeating: 0x30, count: 32))]
      )
    ]
    guard
      let simulator = try? Simulator(
        configuration: configuration,
        scenario: scenario,
        seed: 1,
        start: Timestamp(seconds: 0)
      )
    else { return nil }
    let journal = MemoryJournal(simulator)
    let topics = choice & 32 != 0 ? [app.topic] : []
    let identity = ProviderIdentity(topics: topics, environment: .production, subject: "")
    guard
      let connection = try? simulator.openRequests(
        ConnectionOpening(peer: "", provider: identity),
        at: Timestamp(seconds: 0)
      )
    else { return nil }
    var answers: [RequestAnswer] = []
    let size = requests.count / reads
    for start in stride(from: 0, to: requests.count, by: size) {
      let read = Array(requests[start..<min(requests.count, start + size)])
      answers += connection.receive(read, at: Timestamp(seconds: 0)).answers
    }
    connection.closed(.peerClosed, at: Timestamp(seconds: 0))
    try? simulator.perform(.setOnline(device: "offline", true), at: Timestamp(seconds: 0))
    for line in journal.text.split(separator: "\n") {
      guard (try? JSONValue.parse(Array(line.utf8))) != nil else { return nil }
    }
    return answers
  }
}
