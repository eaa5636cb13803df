import APNSimCore
import APNSimWire
import Testing

@Suite struct `The feedback list` {
  @Test func `a device without the app refuses and is listed with the time of it`() throws {
    let simulator = try Samples.simulator()
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try simulator.perform(.advanceClock(.seconds(5)))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    #expect(provider.reply.isEmpty)
    #expect(simulator.outcomes == [.refused])
    let tuple = FeedbackTuple(timestamp: UInt32(Moment.start.seconds + 5), token: Samples.online)
    #expect(simulator.feedback(for: Samples.app) == [tuple])
  }

  @Test func `topics and devices of canonically equivalent names are not one`() throws {
    let apps = ["caf\u{E9}", "cafe\u{301}"].map { AppKey(topic: $0, environment: .production) }
    #expect(apps[0] != apps[1] && Set(apps).count == 2)
    #expect(apps[1] < apps[0] && !(apps[0] < apps[1]))
    let simulator = try Samples.simulator()
    try simulator.perform(
      .addFeedback(.init(subject: .token(Samples.online), app: apps[0], moment: .at(Moment.start)))
    )
    #expect(simulator.feedback(for: apps[0]).map(\.token) == [Samples.online])
    #expect(simulator.feedback(for: apps[1]) == [])
  }

  @Test func `a device refused twice is listed once with the later time`() throws {
    let simulator = try Samples.simulator()
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    try simulator.perform(.advanceClock(.minutes(1)))
    provider.send(Samples.frame(2))
    #expect(
      simulator.feedback(for: Samples.app).map(\.timestamp) == [UInt32(Moment.start.seconds + 60)]
    )
    #expect(read(simulator).count == 38)
    provider.send(Samples.frame(3))
    #expect(read(simulator).count == 38)
  }

  @Test func `an offline device refuses when it comes back`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Samples.offline))
    try simulator.perform(.setInstalled(device: "bob", app: nil, false))
    #expect(simulator.feedback(for: Samples.app) == [])
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.refused])
    #expect(simulator.feedback(for: Samples.app).map(\.token) == [Samples.offline])
  }

  @Test func `installing the app again registers it later than the listing`() throws {
    let simulator = try Samples.simulator()
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1))
    try simulator.perform(.advanceClock(.minutes(2)))
    try simulator.perform(.setInstalled(device: "alice", app: nil, true))
    let listed = try #require(simulator.feedback(for: Samples.app).first)
    let registered = try #require(simulator.device("alice")?.apps.first?.registeredAt)
    #expect(registered.seconds > Int64(listed.timestamp))
  }

  @Test func `a list is gone once it is read, and stays where it is kept`() throws {
    for keeps in [false, true] {
      let simulator = try Samples.simulator { $0.feedbackKeep = keeps }
      try add(1000, to: simulator)
      #expect(read(simulator).count == 38_000)
      #expect(read(simulator).count == (keeps ? 38_000 : 0))
    }
  }

  @Test func `a chunk holds whole tuples and no more than a TLS record`() throws {
    let simulator = try Samples.simulator()
    try add(1000, to: simulator)
    let reader = try open(simulator)
    var sizes: [Int] = []
    while case let chunk = reader.nextChunk(at: Moment.start), !chunk.isEmpty { sizes.append(chunk.count) }
    #expect(sizes == [431 * 38, 431 * 38, 138 * 38])
  }

  @Test func `two readers at once share the list between them`() throws {
    let simulator = try Samples.simulator()
    try add(1000, to: simulator)
    let readers = [try open(simulator), try open(simulator)]
    var tuples = Set<FeedbackTuple>()
    var count = 0
    for turn in 0..<4 {
      let bytes = readers[turn % 2].nextChunk(at: Moment.start)
      for tuple in decode(bytes) { tuples.insert(tuple) }
      count += bytes.count / 38
    }
    #expect(count == 1000)
    #expect(tuples.count == 1000)
  }

  @Test func `what a broken connection did not take stays`() throws {
    let simulator = try Samples.simulator()
    try add(1000, to: simulator)
    let broken = try open(simulator)
    _ = broken.nextChunk(at: Moment.start)
    broken.closed(.reset, at: Moment.start)
    #expect(simulator.feedback(for: Samples.app).count == 569)
  }

  @Test func `a scripted tuple with a span appears when its time comes`() throws {
    let simulator = try Samples.simulator()
    try simulator.perform(
      .addFeedback(
        FeedbackSpecification(subject: .device("alice"), app: Samples.app, moment: .after(.hours(1)))
      )
    )
    #expect(simulator.feedback(for: Samples.app) == [])
    try simulator.perform(.advanceClock(.hours(1)))
    #expect(
      simulator.feedback(for: Samples.app).map(\.timestamp) == [UInt32(Moment.start.seconds + 3600)]
    )
  }

  @Test func `a token that is not 32 bytes keeps its length`() throws {
    let simulator = try Samples.simulator()
    let token = [UInt8](repeating: 0xAB, count: 100)
    let specification = FeedbackSpecification(
      subject: .token(token),
      app: Samples.app,
      moment: .at(Timestamp(seconds: 7))
    )
    try simulator.perform(.addFeedback(specification))
    #expect(read(simulator) == [0, 0, 0, 7, 0, 100] + token)
  }

  @Test func `a topic does not see the list of another`() throws {
    let simulator = try Samples.simulator()
    try add(3, to: simulator)
    #expect(read(simulator, topic: "com.example.other").isEmpty)
    #expect(read(simulator, environment: .sandbox).isEmpty)
    #expect(read(simulator).count == 3 * 38)
  }

  @Test func `beyond its limit a list loses its oldest tuples`() throws {
    let simulator = try Samples.simulator { $0.limits.feedbackTuples = 10 }
    try add(25, to: simulator)
    #expect(simulator.feedback(for: Samples.app).map(\.timestamp) == Array(15..<25))
  }

  @Test func `a page begins with a whole tuple, from wherever it is asked for`() throws {
    let simulator = try Samples.simulator { $0.limits.feedbackTuples = 1000 }
    try add(1003, to: simulator)
    for (position, first) in [(0, 3), (3 * 38, 3), (3 * 38 + 1, 4), (5 * 38 - 1, 5), (16_384, 432)] {
      let page = simulator.feedback(for: Samples.app, from: UInt64(position), limit: 2)
      #expect(page.tuples.map(\.timestamp) == [UInt32(first), UInt32(first + 1)], "\(position)")
      #expect(page.next == UInt64((first + 2) * 38))
    }
    for position: UInt64 in [1002 * 38 + 1, 1003 * 38, .max] {
      let page = simulator.feedback(for: Samples.app, from: position, limit: 2)
      #expect(page.tuples.isEmpty && page.next == nil)
    }
  }

  @Test func `a tuple of nobody's device leaves no app behind`() throws {
    let simulator = try Samples.simulator { $0.limits.apps = 2 }
    for name in ["nobody", "alice"] {
      let app = AppKey(topic: "com.example.ghost", environment: .production)
      let tuple = FeedbackSpecification(subject: .device(name), app: app, moment: .at(Moment.start))
      #expect(throws: CommandError.self) { try simulator.perform(.addFeedback(tuple)) }
    }
    #expect(simulator.apps() == [Samples.app])
  }

  @Test func `long tokens fill a list before it is full of tuples`() throws {
    let simulator = try Samples.simulator { $0.limits.feedbackTuples = 10 }
    try add(8, to: simulator)
    let long = FeedbackSpecification(
      subject: .token([UInt8](repeating: 7, count: 1100)),
      app: Samples.app,
      moment: .at(Timestamp(seconds: 100))
    )
    try simulator.perform(.addFeedback(long))
    #expect(simulator.feedback(for: Samples.app).map(\.timestamp) == [4, 5, 6, 7, 100])
    try simulator.perform(.addFeedback(long))
    #expect(simulator.feedback(for: Samples.app).map(\.timestamp) == [100])
  }

  private func add(_ count: UInt32, to simulator: Simulator) throws {
    for number in 0..<count {
      let token = Samples.big(number) + [UInt8](repeating: 9, count: 28)
      let specification = FeedbackSpecification(
        subject: .token(token),
        app: Samples.app,
        moment: .at(Timestamp(seconds: Int64(number)))
      )
      try simulator.perform(.addFeedback(specification))
    }
  }

  @Test func `only so many tuples may be to come, and those that have come make room`() throws {
    let simulator = try Samples.simulator { $0.limits.feedbackTuples = 10 }
    func add() throws(CommandError) {
      let later = FeedbackSpecification(
        subject: .token([1]),
        app: Samples.app,
        moment: .after(.hours(1))
      )
      try simulator.perform(.addFeedback(later))
    }
    for _ in 0..<10 { try add() }
    #expect(throws: CommandError.tooManyTuples(limit: 10)) { try add() }
    #expect(simulator.pendingDeadlines == 10)
    try simulator.perform(.advanceClock(.hours(1)))
    #expect(simulator.feedback(for: Samples.app).count == 10)
    try add()
  }

  private func open(
    _ simulator: Simulator,
    topic: String = Samples.topic,
    environment: PushEnvironment = .production
  ) throws -> FeedbackConnection {
    let provider = ProviderIdentity(topics: [topic], environment: environment, subject: "UID=\(topic)")
    let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
    return try simulator.openFeedback(opening, at: Moment.start)
  }

  @Test func `a reader who finds nothing has read, once`() throws {
    let simulator = try Samples.simulator()
    for _ in 1...2 { #expect(read(simulator).isEmpty) }
    let held = try open(simulator)
    for _ in 1...3 { #expect(held.nextChunk(at: Moment.start).isEmpty) }
    try simulator.perform(.setInstalled(device: "alice", app: nil, false))
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    #expect(read(simulator).count == 38)
    let reads = simulator.feedbackReads(after: 0, limit: 10).reads
    #expect(reads.map(\.tuples.count) == [0, 0, 0, 1])
    #expect(reads.map(\.app) == [Samples.app, Samples.app, Samples.app, Samples.app])
    #expect(Set(reads.map(\.connection)).count == 4)
  }

  private func read(
    _ simulator: Simulator,
    topic: String = Samples.topic,
    environment: PushEnvironment = .production
  ) -> [UInt8] {
    guard let reader = try? open(simulator, topic: topic, environment: environment) else { return [] }
    var bytes: [UInt8] = []
    while case let chunk = reader.nextChunk(at: Moment.start), !chunk.isEmpty { bytes += chunk }
    reader.closed(.simulatorClosed, at: Moment.start)
    return bytes
  }

  private func decode(_ bytes: [UInt8]) -> [FeedbackTuple] {
    bytes.withUnsafeBytes { buffer in
      var found: [FeedbackTuple] = []
      var offset = 0
      while let (tuple, end) = FeedbackTuple.decode(buffer, from: offset) {
        found.append(tuple)
        offset = end
      }
      return found
    }
  }
}
