import APNSimCore
import APNSimWire
import Testing

/// A device that talks to a simulator without a network, the way the device port would.
final class CoreDevice: EffectOutlet, @unchecked Sendable {
  let simulator: Simulator
  let connection: DeviceConnection
  /// Whether it takes what the simulator has for it.
  var reads = true
  private(set) var lines: [JSONValue] = []
  private(set) var isEnded = false
  /// The number of times that the simulator said there is something to send.
  private(set) var wakes = 0

  init(
    _ simulator: Simulator,
    named name: String,
    environment: PushEnvironment = .production,
    outlet: Bool = true
  ) {
    self.simulator = simulator
    let opening = DeviceOpening(
      peer: "127.0.0.1:2",
      device: name,
      subject: "CN=\(name)",
      environment: environment
    )
    connection = simulator.openDevice(opening, at: Moment.start)
    if outlet { simulator.setOutlet(self) }
  }

  func send(_ bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBytes { connection.receive($0, at: Moment.start) }
    read()
  }

  func say(_ line: String) { send(Array("\(line)\n".utf8)) }

  /// Says its apps, each by its topic.
  func connect(_ topics: String...) {
    say(#"{"apps":[\#(topics.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
  }

  func close() { connection.closed(.peerClosed, at: Moment.start) }

  func perform(_ action: GatewayAction, on connection: ConnectionID) {}

  func deviceHasOutput(_ connection: ConnectionID) {
    guard connection == self.connection.id else { return }
    wakes += 1
    read()
  }

  /// Takes everything that waits.
  func read() {
    while reads, !isEnded {
      let chunk = connection.nextLines(at: Moment.start)
      for line in chunk.bytes.split(separator: UInt8(ascii: "\n")) {
        if let value = try? JSONValue.parse(line) { lines.append(value) }
      }
      isEnded = chunk.isLast
      if chunk.isDrained { return }
    }
  }

  var notifications: [JSONValue] { lines.compactMap { $0.member("notification") } }

  /// The lines that it was sent, by the first key of each.
  var kinds: [String] { lines.compactMap { $0.objectValue?.first?.key } }

  /// The token of an app as it was told last.
  func token(_ topic: String = Samples.topic) -> [UInt8]? {
    lines.last { $0.member("tokens") != nil }?.member("tokens")?.arrayValue?
      .first { $0.member("topic") == .string(topic) }?.member("token")?.stringValue.flatMap { Hex.decode($0) }
  }

  var error: String? { lines.last?["error.reason"]?.stringValue }
}
