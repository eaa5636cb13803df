import APNSimCore
import APNSimScenario
import APNSimWire

/// A query in one line is refused at a column of it, or finds among notifications what the whole objects would show:
/// made ready for many or asked of each one, it finds the same.
///
/// The input is the line, and after a newline the payload of one of the notifications.
enum QueryProperty {
  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let token = [UInt8](repeating: 0xA1, count: 32)

  static func violation(_ input: [UInt8]) -> String? {
    let line = String(decoding: input.prefix { $0 != 0x0A }, as: UTF8.self)
    let query: Query
    do throws(DocumentError) { query = try QueryLine.parse(line) } catch {
      guard let place = error.problems.first?.location else { return "refused without a reason" }
      guard error.description.utf8.count <= 16_384 + 4 * line.utf8.count else {
        return "a refusal out of bounds"
      }
      return (1...line.unicodeScalars.count + 1).contains(place.column)
        ? nil : "column \(place.column) of \(line.unicodeScalars.count)"
    }
    guard let simulator = simulator(payload: Array(input.drop { $0 != 0x0A }.dropFirst())) else {
      return "the simulator did not start"
    }
    let expected = simulator.notifications().filter(query.matches).map(\.id)
    let compiled = CompiledQuery(query)
    // Twice: the second time it remembers.
    for _ in 0..<2 {
      let found = simulator.notifications(from: 1, limit: 100, matching: compiled).views.map(\.id)
      guard found == expected else { return "made ready it finds \(found), else \(expected)" }
    }
    return nil
  }

  /// Notifications of each outcome that a query can ask for, one of them with a payload from outside.
  private static func simulator(payload: [UInt8]) -> Simulator? {
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    let app = AppKey(topic: "com.example.sim", environment: .production)
    scenario.devices = [
      DeviceSpecification(name: "alice", apps: [AppSpecification(app: app, token: token)]),
      DeviceSpecification(
        name: "bob",
        isOnline: false,
        apps: [AppSpecification(app: app, token: [UInt8](repeating: 0xB2, count: 32))]
      ),
    ]
    guard
      let simulator = try? Simulator(
        configuration: Configuration(),
        scenario: scenario,
        seed: 1,
        start: start
      ),
      let connection = try? simulator.openGateway(
        ConnectionOpening(
          peer: "",
          provider: ProviderIdentity(topics: [app.topic], environment: .production, subject: "")
        ),
        at: start
      )
    else { return nil }
    let usual = Array(#"{"aps":{"alert":{"body":"Order 17"},"badge":3},"a.b":{"c":[1,null]}}"#.utf8)
    var bytes: [UInt8] = []
    for (number, part) in [(payload, token), (usual, token), (usual, [UInt8](repeating: 0xB2, count: 32))]
      .enumerated()
    where !part.0.isEmpty {
      bytes += NotificationFrame(
        command: 1,
        identifier: NotificationIdentifier(rawValue: UInt32(number + 1)),
        expiry: 0x7FFF_FFFF,
        token: part.1,
        payload: Array(part.0.prefix(256))
      ).encode()
    }
    bytes += [0, 0, 0, 0, 0, 7, 7]
    _ = bytes.withUnsafeBytes { connection.receive($0, at: start) }
    return simulator
  }
}
