import APNSimCore
import APNSimWire
import Testing

@Suite struct `A digest of the journal` {
  private static func fates(_ digest: JournalDigest) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: digest.outcomes.map { ($0.text, $1) })
  }

  @Test func `a digest of the journal counts what came in by what became of it, and names the newest`() throws
  {
    let simulator = try Samples.simulator()
    let before = simulator.digestStart
    #expect(simulator.digest(after: before.seq).isEmpty)
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...70 { provider.send(Samples.frame(number)) }
    provider.send(Samples.frame(71, to: Samples.offline))
    provider.send(Samples.frame(72, to: [UInt8](repeating: 9, count: 32)) + Samples.frame(73))
    let requester = try CoreRequester(simulator)
    requester.send(requester.request(topic: nil), requester.request())
    let digest = simulator.digest(after: before.seq)
    #expect(digest.received == 75 && digest.matched == 75 && digest.rejected == 2 && digest.missed == 0)
    #expect(
      Self.fates(digest) == [
        "delivered": 71, "stored": 1, "rejected:8 Invalid token": 1, "discarded": 1,
        "rejected:400 MissingTopic": 1,
      ]
    )
    #expect(digest.newest == Array(16...75) && digest.isLast && digest.seq == simulator.digestStart.seq)
    #expect(digest.kinds.contains(.connections) && !digest.kinds.contains(.clock))
    #expect(digest.changed.isEmpty && !digest.wasCleared, "\(digest.changed) \(digest.kinds)")
    #expect(simulator.digest(after: digest.seq).isEmpty)
  }

  @Test func `a digest of the journal counts what matches, and names the newest of that`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...200 {
      provider.send(Samples.frame(number, payload: #"{"aps":{"badge":\#(number % 2)}}"#))
    }
    let query = CompiledQuery(Query([.init(path: "payload.aps.badge", matcher: .equals(.number("1")))]))
    let digest = simulator.digest(after: 0, matching: query)
    #expect(digest.received == 200 && digest.matched == 100 && Self.fates(digest) == ["delivered": 100])
    #expect(digest.newest.count == 60 && digest.newest.first == 81 && digest.newest.last == 199)
  }

  @Test func `a digest of the journal is the same in one and in pieces`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...90 {
      provider.send(Samples.frame(number, to: number % 3 == 0 ? Samples.offline : Samples.online))
      if number == 45 { try simulator.perform(.setOnline(device: "bob", true)) }
    }
    let whole = simulator.digest(after: 0)
    // One after another was replaced by the next, and the last one was delivered.
    #expect(whole.changed == stride(from: 3, through: 45, by: 3).map { $0 } && whole.kinds.contains(.devices))
    var pieces = simulator.digest(after: 0, through: 7)
    while pieces.seq < whole.seq {
      pieces.add(simulator.digest(after: pieces.seq, through: pieces.seq + 7))
    }
    #expect(pieces.received == whole.received && pieces.matched == whole.matched)
    #expect(pieces.outcomes == whole.outcomes && pieces.newest == whole.newest)
    #expect(pieces.changed == whole.changed && pieces.kinds == whole.kinds && pieces.seq == whole.seq)
  }

  @Test func `a digest of the journal names what changed later, and no more than two hundred`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    let before = simulator.digestStart.seq
    try simulator.perform(.setOnline(device: "bob", true))
    let delivered = simulator.digest(after: before)
    #expect(delivered.changed == [1] && delivered.received == 0 && !delivered.isEmpty)
    try simulator.perform(.setOnline(device: "bob", false))
    let then = simulator.digestStart.seq
    for number in UInt32(2)...300 { provider.send(Samples.frame(number, to: Samples.offline)) }
    let replaced = simulator.digest(after: then)
    #expect(replaced.changed == Array(2...201) && replaced.hasMoreChanged)
  }

  @Test func `a digest of the journal says what else happened, by its kind`() throws {
    let simulator = try Samples.simulator()
    func kinds(_ commands: Command...) throws -> Set<JournalDigest.Kind> {
      let before = simulator.digestStart.seq
      for command in commands { try simulator.perform(command) }
      return simulator.digest(after: before).kinds
    }
    #expect(try kinds(.advanceClock(.seconds(1))) == [.clock])
    #expect(try kinds(.addRule(Rule(name: "r", action: .fault(.swallow)))) == [.faults])
    #expect(try kinds(.clearRules) == [.faults])
    #expect(try kinds(.setOnline(device: "bob", true)) == [.devices])
    #expect(try kinds(.clearFeedback(nil)).contains(.feedback))
  }

  @Test func `a digest of the journal says that the history was cleared, and that records were missed`()
    throws
  {
    let simulator = try Samples.simulator { $0.limits.history = 10 }
    let provider = try CoreProvider(samples: simulator)
    let before = simulator.digestStart.seq
    for number in UInt32(1)...30 { provider.send(Samples.frame(number)) }
    let outrun = simulator.digest(after: before)
    #expect(outrun.received == 10 && outrun.missed > 0 && outrun.newest == Array(21...30))
    #expect(outrun.hasMoreChanged && !outrun.wasCleared)
    for command in [Command.clearHistory, .reset] {
      let then = simulator.digestStart.seq
      provider.send(Samples.frame(31))
      try simulator.perform(command)
      let cleared = simulator.digest(after: then)
      #expect(cleared.wasCleared && cleared.received == 0 && cleared.missed == 0)
      #expect(simulator.digest(after: cleared.seq).isEmpty)
    }
  }
}
