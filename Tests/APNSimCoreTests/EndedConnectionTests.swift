import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

/// A connection that the simulator has ended is there until its provider notices, which may take a while.
@Suite struct `A connection that the simulator has ended` {
  private static let endings: [Command] = [
    .endConnection(ConnectionID(rawValue: 1), .finish), .advanceClock(.hours(2)),
  ]

  private func start(_ rules: [Rule] = []) throws -> (Simulator, CoreProvider, MemoryJournal) {
    let simulator = try Samples.simulator { $0.idleClose = .hours(1) }
    for rule in rules { try simulator.perform(.addRule(rule)) }
    return (simulator, try CoreProvider(samples: simulator), MemoryJournal(simulator))
  }

  @Test(arguments: endings)
  func `an ended connection takes nothing in, and says what its provider must resend`(
    command: Command
  ) throws {
    let (simulator, provider, journal) = try start()
    provider.send(Samples.frame(1))
    try simulator.perform(command)
    provider.send(Samples.frame(2) + [0xFF])
    provider.send(Samples.frame(3))
    provider.shutdown()
    provider.close()
    #expect(simulator.outcomes == [.delivered, .discarded])
    #expect(provider.reply.isEmpty && !journal.text.contains("errorSent"))
    let view = try #require(simulator.connection(provider.connection.id))
    #expect(view.error == nil)
    #expect(view.resend.discarded == [.identifier(NotificationIdentifier(rawValue: 2))])
  }

  @Test(arguments: endings) func `an ended connection is of no app of a new beginning`(command: Command)
    throws
  {
    let (simulator, ended, _) = try start()
    let other = AppSpecification(app: AppKey(topic: "com.example.other", environment: .production))
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol", apps: [other])))
    let provider = try CoreProvider(simulator, topic: other.app.topic)
    provider.send(Samples.frame(1))
    try simulator.perform(command)
    try simulator.perform(.reset)
    ended.send(Samples.frame(2))
    ended.close()
    #expect(simulator.notifications().isEmpty)
  }

  @Test(arguments: endings) func `an ended connection is not answered any more`(command: Command) throws {
    var reply = Reply(status: .invalidToken)
    reply.delay = .hours(3)
    let (simulator, provider, journal) = try start([Rule(action: .reply(reply))])
    provider.send(Samples.frame(1))
    try simulator.perform(command)
    try simulator.perform(.advanceClock(.hours(9)))
    #expect(provider.reply.isEmpty && !journal.text.contains("errorSent"))
    #expect(simulator.connection(provider.connection.id)?.error == nil)
  }

  @Test func `a connection ended by an error is not idle besides`() throws {
    let (simulator, provider, journal) = try start()
    provider.send([0xFF])
    try simulator.perform(.advanceClock(.hours(9)))
    #expect(journal.text.contains("errorSent") && !journal.text.contains("faultFired"))
  }

  @Test func `an ended connection is none that reads the feedback list`() throws {
    let simulator = try Samples.simulator { $0.idleClose = .hours(1) }
    let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "")
    let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
    let (reader, ended) = (
      try simulator.openFeedback(opening, at: Moment.start),
      try simulator.openFeedback(opening, at: Moment.start)
    )
    for byte in UInt8(1)...3 {
      let token = [UInt8](repeating: byte, count: 32)
      let tuple = FeedbackSpecification(subject: .token(token), app: Samples.app, moment: .at(Moment.start))
      try simulator.perform(.addFeedback(tuple))
    }
    // A connection that reads is not idle.
    try simulator.perform(.advanceClock(.minutes(40)))
    #expect(reader.nextChunk(maximumBytes: 38, at: Moment.start).count == 38)
    try simulator.perform(.advanceClock(.minutes(40)))
    #expect(ended.nextChunk(at: Moment.start).isEmpty)
    #expect(reader.nextChunk(maximumBytes: 38, at: Moment.start).count == 38)
    try simulator.perform(.advanceClock(.minutes(61)))
    #expect(reader.nextChunk(at: Moment.start).isEmpty)
    #expect(simulator.feedback(for: Samples.app).count == 1)
  }
}
