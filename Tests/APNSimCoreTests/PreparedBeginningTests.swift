import APNSimTestSupport
import APNSimWire
import Synchronization
import Testing

@testable import APNSimCore

@Suite struct `A prepared beginning` {
  /// Devices of which there are more than the history keeps events, and what may be about them.
  private static func scenario(hasMore: Bool = false, expires: TokenLife? = nil) -> Scenario {
    var scenario = Scenario()
    scenario.devices = (1...40).map { number in
      var app = AppSpecification(app: Samples.app, isInstalled: number % 5 != 0)
      if number == 7 { app.expires = expires }
      return DeviceSpecification(name: "d\(number)", isOnline: number % 2 == 0, apps: [app])
    }
    guard hasMore else { return scenario }
    scenario.feedback = [
      FeedbackSpecification(subject: .device("d3"), app: Samples.app, moment: .after(.seconds(9)))
    ]
    return scenario
  }

  private static func run(_ scenario: Scenario) throws -> KeptRun {
    var configuration = Configuration()
    configuration.tokens = .known
    configuration.limits.keep = 50
    return try KeptRun(configuration, scenario, isRecorded: false)
  }

  /// Begins again with what was prepared a while before, and something came in between.
  private static func begin(_ run: KeptRun, _ isPrepared: Bool) throws {
    let (early, late) = (Moment.start + .minutes(1), Moment.start + .minutes(2))
    let setup = run.simulator.withWorld { $0.setup }
    let beginning = try PreparedBeginning(setup.again(wall: early), wall: early, isRecorded: false)
    run.perform(.setOnline(device: "d2", false), at: early)
    _ = try run.simulator.submit(CommandInput(.reset, isPrepared ? .success(beginning) : nil), at: late).get()
    #expect(beginning.isMovable != isPrepared)
  }

  private static func lines(_ simulator: Simulator) -> [UInt8] {
    simulator.readJournal { _ in 1 }.next(maxBytes: 1 << 20).lines
  }

  @Test(arguments: [false, true])
  func `what was made beside the state is what would have been made in it, at its moment`(hasMore: Bool)
    throws
  {
    let scenario = Self.scenario(hasMore: hasMore)
    let (prepared, made) = (try Self.run(scenario), try Self.run(scenario))
    try Self.begin(prepared, true)
    try Self.begin(made, false)
    #expect(prepared.simulator.devices() == made.simulator.devices())
    #expect(Self.lines(prepared.simulator) == Self.lines(made.simulator))
    #expect(KeptRun.bytes(of: prepared.simulator) == KeptRun.bytes(of: made.simulator))
    for run in [prepared, made] {
      run.perform(.setOnline(device: "d4", false), at: Moment.start + .minutes(3))
    }
    #expect(KeptRun.bytes(of: prepared.simulator) == KeptRun.bytes(of: made.simulator))
  }

  @Test func `one that was prepared without its oldest events is not taken where they are recorded`() throws {
    let run = try Self.run(Self.scenario())
    let setup = run.simulator.withWorld { $0.setup }
    let beginning = try PreparedBeginning(setup, wall: Moment.start, isRecorded: false)
    let journal = MemoryJournal(run.simulator)
    let before = journal.text.utf8.count
    _ = try run.simulator.submit(CommandInput(.reset, .success(beginning)), at: Moment.start).get()
    #expect(beginning.isMovable)
    Self.expectAll(in: journal, after: before)
  }

  private static func expectAll(in journal: MemoryJournal, after before: Int) {
    let lines = String(decoding: journal.text.utf8.dropFirst(before), as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains(#""event":"deviceAdded""#) } == 40)
    #expect(lines.count { $0.contains(#""event":"appInstalled""#) } == 40)
  }

  @Test func `every event of one is recorded, though the history keeps a few`() throws {
    let run = try Self.run(Self.scenario())
    let journal = MemoryJournal(run.simulator)
    let before = journal.text.utf8.count
    run.perform(.reset, at: Moment.start + .minutes(1))
    Self.expectAll(in: journal, after: before)
    #expect(run.simulator.withWorld { $0.history.eventCount } == 50)
  }

  @Test func `devices with tokens that expire are made when it begins`() throws {
    let scenario = Self.scenario(expires: .at(Moment.start + .seconds(90)))
    let run = try Self.run(scenario)
    let setup = run.simulator.withWorld { $0.setup }
    let beginning = try PreparedBeginning(setup, wall: Moment.start, isRecorded: false)
    let late = Moment.start + .minutes(2)
    _ = try run.simulator.submit(CommandInput(.reset, .success(beginning)), at: late).get()
    #expect(run.simulator.devices().first { $0.name == "d7" }?.apps.first?.isInstalled == false)
  }

  @Test func `one of a scenario that another one has replaced is not taken`() throws {
    let run = try Self.run(Self.scenario())
    let setup = run.simulator.withWorld { $0.setup }
    let beginning = try PreparedBeginning(setup, wall: Moment.start, isRecorded: false)
    run.perform(.replaceScenario(Scenario()), at: Moment.start)
    _ = try run.simulator.submit(CommandInput(.reset, .success(beginning)), at: Moment.start).get()
    #expect(run.simulator.devices().isEmpty)
  }

  /// Looks into the simulator for which it makes a token, as a provider does that sends meanwhile.
  private final class LookingIssuer: TokenIssuing {
    let simulator = Mutex<Simulator?>(nil)
    let looks = Atomic<Int>(0)
    private let issuer = SeededTokenIssuer(seed: 7)

    func issue(device: [UInt8], app: AppKey) -> [UInt8] {
      if let simulator = simulator.withLock({ $0 }) {
        _ = simulator.time(at: Moment.start)
        looks.add(1, ordering: .relaxed)
      }
      return issuer.issue(device: device, app: app)
    }

    func open(_ token: [UInt8], app: AppKey) -> [UInt8]? { issuer.open(token, app: app) }
  }

  @Test(.mustNotHang, arguments: [Command.reset, .replaceScenario(Self.scenario())])
  func `nobody waits while the tokens of a new beginning are made`(_ command: Command) throws {
    let issuer = LookingIssuer()
    let simulator = try Simulator(
      scenario: Self.scenario(),
      seed: 7,
      start: Moment.start,
      tokenIssuer: issuer
    )
    issuer.simulator.withLock { $0 = simulator }
    try simulator.perform(command)
    issuer.simulator.withLock { $0 = nil }
    #expect(issuer.looks.load(ordering: .relaxed) == 40)
  }
}
