internal import APNSimCore
internal import APNSimWire

/// What must hold for any bytes at all: nothing traps, and no answer depends on how they were cut.
///
/// The fuzzer looks for bytes that break it, and a test replays those it ever found.
package enum GatewayProperty {
  /// The first byte chooses settings and cuts, the rest is what a provider sends.
  /// - Returns: what differed, or nil when the property holds.
  package static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let bytes = Array(input.dropFirst())
    if let found = payloadViolation(bytes) { return found }
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
