import APNSimCore
import APNSimTestSupport
import APNSimWire

/// The bytes of a provider: nothing traps, and no answer depends on how they were cut.
enum GatewayProperty {
  /// The first byte chooses settings and cuts, the rest is what a provider sends.
  /// - Returns: what differed, or nil when the property holds.
  static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let bytes = Array(input.dropFirst())
    if let found = payloadViolation(bytes) ?? annotationViolation(bytes) { return found }
    guard let whole = run(bytes, choice: choice, cuts: .whole) else { return "the simulator did not start" }
    let cut = run(bytes, choice: choice, cuts: .seeded(UInt64(choice)))
    return whole == cut ? nil : "cut by seed \(choice) the journal differs"
  }

  /// Judge and parser must agree on what JSON is.
  private static func payloadViolation(_ bytes: [UInt8]) -> String? {
    let verdict = bytes.withUnsafeBytes { PayloadJudge.judge($0) }
    let parsed = try? JSONValue.parse(bytes)
    guard verdict.problem.isJSON == (parsed != nil) else {
      return "judge says \(verdict.problem) at \(verdict.offset), parser says \(parsed == nil ? "no" : "yes")"
    }
    guard verdict.offset >= 0, verdict.offset <= bytes.count else {
      return "offset \(verdict.offset) is outside"
    }
    _ = PayloadDiagnosis(verdict, payload: bytes).description
    return nil
  }

  /// `decode` shows each byte of each frame once, in order.
  private static func annotationViolation(_ bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while let frame = FrameDecoder.next(in: buffer, from: offset, mode: .reading) {
        guard frame.end > offset, frame.end <= buffer.count else { return "a frame ends at \(frame.end)" }
        var shown = offset
        for line in AnnotatedHex.lines(of: frame, in: buffer) {
          guard line.offset == shown else { return "byte \(shown) is not shown next, but \(line.offset)" }
          shown += line.bytes.count
        }
        guard shown == frame.end else { return "shown up to \(shown) of \(frame.end)" }
        offset = frame.end
      }
      return nil
    }
  }

  private static func run(_ bytes: [UInt8], choice: UInt8, cuts: Cuts) -> String? {
    var configuration = Configuration()
    configuration.edition = choice & 1 == 0 ? .guide : .final
    configuration.payload = choice & 2 == 0 ? .strict : .lenient
    if choice & 4 != 0 { configuration.quirks = [.silentParseErrors, .zeroIdOnMissingToken, .enhanced2048] }
    if choice & 8 != 0 { configuration.commands = [.simple, .enhanced] }
    configuration.limits.history = 1000
    let app = AppKey(topic: "com.example.fuzz", environment: .production)
    var scenario = Scenario()
    scenario.clock = .virtual(start: Timestamp(seconds: 1_338_508_800))
    scenario.devices = [
      DeviceSpecification(
        name: "offline",
        isOnline: false,
        apps: [AppSpecification(app: app, token: Array(repeating: 0x30, count: 32))]
      ),
      DeviceSpecification(
        name: "odd",
        apps: [AppSpecification(app: app, token: Array(repeating: 0x31, count: 5))]
      ),
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
    let identity = ProviderIdentity(topics: [app.topic], environment: .production, subject: "")
    let opening = ConnectionOpening(peer: "", provider: identity)
    guard let connection = try? simulator.openGateway(opening, at: Timestamp(seconds: 0)) else { return nil }
    var reply: [UInt8] = []
    for piece in cuts.pieces(of: bytes) {
      let action = Array(piece).withUnsafeBytes { connection.receive($0, at: Timestamp(seconds: 0)) }
      reply += action.records.flatMap { $0 }
    }
    connection.closed(.peerClosed, at: Timestamp(seconds: 0))
    try? simulator.perform(.setOnline(device: "offline", true), at: Timestamp(seconds: 0))
    return journal.text + Hex.encode(reply)
  }
}
