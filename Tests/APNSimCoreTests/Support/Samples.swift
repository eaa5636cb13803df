import APNSimCore
import APNSimWire

/// The little world most tests need: one app, a device online and one offline.
enum Samples {
  static let topic = "com.example.sim"
  static let app = AppKey(topic: topic, environment: .production)
  static let online = [UInt8](repeating: 0xA1, count: 32)
  static let offline = [UInt8](repeating: 0xB2, count: 32)

  static var devices: [DeviceSpecification] {
    [
      DeviceSpecification(name: "alice", apps: [AppSpecification(app: app, token: online)]),
      DeviceSpecification(
        name: "bob",
        isOnline: false,
        apps: [AppSpecification(app: app, token: offline)]
      ),
    ]
  }

  static func simulator(
    clock: ClockSetting = .virtual(start: Moment.start),
    rules: [Rule] = [],
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Simulator {
    var configuration = Configuration()
    configuration.tokens = .known
    change(&configuration)
    var scenario = Scenario()
    scenario.clock = clock
    scenario.devices = devices
    scenario.rules = rules
    return try Simulator(configuration: configuration, scenario: scenario, seed: 7, start: Moment.start)
  }

  /// A command-1 frame.
  static func frame(
    _ identifier: UInt32,
    to token: [UInt8] = online,
    expiry: UInt32 = 0x7FFF_FFFF,
    payload: String = #"{"aps":{"alert":"hi"}}"#
  ) -> [UInt8] {
    [1] + big(identifier) + big(expiry) + [0, UInt8(token.count)] + token
      + [UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 255)] + Array(payload.utf8)
  }

  static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension CoreProvider {
  convenience init(samples simulator: Simulator) throws {
    try self.init(simulator, topic: Samples.topic)
  }
}

extension Simulator {
  /// Outcomes of all notifications in the order they came.
  var outcomes: [Outcome] { notifications().map(\.outcome) }

  func perform(_ command: Command) throws(CommandError) { try perform(command, at: Moment.start) }
}
