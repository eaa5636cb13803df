import APNSimCore
import APNSimTestSupport

/// A device is told the same however its bytes were cut, and nothing it says traps.
enum DeviceProperty {
  /// The first byte chooses the cuts, the rest is what a device says.
  static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let bytes = Array(input.dropFirst())
    guard let whole = run(bytes, cuts: .whole) else { return "the simulator did not start" }
    return whole == run(bytes, cuts: .seeded(UInt64(choice)))
      ? nil : "cut by seed \(choice) it is told otherwise"
  }

  private static func run(_ bytes: [UInt8], cuts: Cuts) -> String? {
    let start = Timestamp(seconds: 1_338_508_800)
    var configuration = Configuration()
    configuration.limits.deviceLine = 512
    configuration.limits.deviceApps = 8
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    guard
      let simulator = try? Simulator(configuration: configuration, scenario: scenario, seed: 1, start: start)
    else { return nil }
    let journal = MemoryJournal(simulator)
    let connection = simulator.openDevice(
      DeviceOpening(peer: "", device: "fuzzed", subject: "CN=fuzzed"),
      at: start
    )
    var told: [UInt8] = []
    for piece in cuts.pieces(of: bytes) {
      Array(piece).withUnsafeBytes { connection.receive($0, at: start) }
    }
    while true {
      let chunk = connection.nextLines(at: start)
      told += chunk.bytes
      if chunk.isDrained { break }
    }
    connection.closed(.peerClosed, at: start)
    return journal.text + String(decoding: told, as: UTF8.self)
  }
}
