import APNSimCore
import APNSimTestSupport
import Testing

@Suite struct `The same seed, inputs and clock` {
  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `the same seed, inputs and clock give the same journal byte for byte, however the bytes are cut`(
    seed: UInt64
  ) throws {
    let journals = try Cuts.all.map { try run(seed: seed, cuts: $0) }
    #expect(Set(journals).count == 1)
    #expect(journals.first?.isEmpty == false)
  }

  @Test func `a journal started late has what the history still holds`() throws {
    let simulator = try Samples.simulator()
    let early = MemoryJournal(simulator)
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1) + Samples.frame(2, to: Samples.offline))
    provider.close()
    let events = early.text.split(separator: "\n").dropFirst().compactMap(Self.event)
    #expect(
      events == [
        "deviceAdded", "appInstalled", "deviceAdded", "appInstalled", "connectionOpened", "notification",
        "notification", "connectionClosed",
      ]
    )
  }

  @Test func `every line has the next number`() throws {
    let text = try run(seed: 9, cuts: .whole)
    let numbers = text.split(separator: "\n").dropFirst().compactMap { line in
      Int(line.dropFirst(#"{"seq":"#.count).prefix { $0 != "," })
    }
    #expect(numbers == Array(1...numbers.count))
  }

  private static func event(_ line: Substring) -> String? {
    line.split(separator: #""event":""#).last.flatMap { $0.split(separator: "\"").first.map(String.init) }
  }

  /// Seeded traffic of several connections, driven in a fixed order.
  private func run(seed: UInt64, cuts: Cuts) throws -> String {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let journal = MemoryJournal(simulator)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<12 {
      let provider = try CoreProvider(samples: simulator)
      var bytes: [UInt8] = []
      for number in 0..<UInt32.random(in: 1...20, using: &generator) {
        bytes += frame(number, &generator)
      }
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<30, using: &generator)) }
      for piece in cuts.pieces(of: bytes) { provider.send(piece) }
      provider.close()
      try simulator.perform(.advanceClock(.seconds(Int64.random(in: 0...5000, using: &generator))))
      try simulator.perform(.setOnline(device: "bob", Bool.random(using: &generator)))
      try simulator.perform(
        .setInstalled(device: "alice", app: nil, Bool.random(using: &generator))
      )
    }
    return journal.text
  }

  private func frame(_ number: UInt32, _ generator: inout SeededGenerator) -> [UInt8] {
    let expiry = UInt32(Moment.start.seconds) + UInt32.random(in: 0...9000, using: &generator)
    let token = [Samples.online, Samples.offline, Array(repeating: UInt8(number % 5), count: 32)]
      .randomElement(using: &generator)
    switch UInt8.random(in: 0..<60, using: &generator) {
    case 0: return Samples.frame(number, to: [1, 2, 3])
    case 1: return Samples.frame(number, payload: #"{"aps":}"#)
    case 2: return [UInt8.random(in: 0...9, using: &generator), 0, 0]
    case 3: return Samples.frame(number, payload: String(repeating: "y", count: 700))
    case 4: return [2, 0, 0, 0, 3, 9, 0, 0]
    default:
      return Samples.frame(number, to: token ?? Samples.online, expiry: expiry)
    }
  }
}
