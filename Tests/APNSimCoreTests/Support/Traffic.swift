import APNSimTestSupport
import APNSimWire

@testable import APNSimCore

/// Seeded traffic by every door of a simulator whose inputs are kept.
struct Traffic {
  let run: KeptRun
  private(set) var now = Moment.start
  private let isReal: Bool
  private var random: SeededGenerator
  private var gateways: [CoreProvider] = []
  private var requesters: [CoreRequester] = []
  private var readers: [FeedbackConnection] = []
  private var devices: [CoreDevice] = []
  private var identifier: UInt32 = 0

  init(seed: UInt64, isReal: Bool) throws {
    self.isReal = isReal
    random = SeededGenerator(seed: seed)
    var configuration = Configuration()
    configuration.tokens = .any
    configuration.magicTokens = true
    run = try KeptRun(configuration, Self.scenario(isReal: isReal, seed: seed))
  }

  /// A simulator as the run's was at its start.
  func fresh() throws -> Simulator {
    try Simulator(configuration: run.configuration, scenario: run.scenario, seed: 7, start: Moment.start)
  }

  private static func scenario(isReal: Bool, seed: UInt64) -> Scenario {
    var scenario = Scenario()
    scenario.clock = isReal ? .real : .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    var late = Reply(status: .processingError)
    late.delay = .seconds(30)
    scenario.rules = [
      Rule(name: "some", times: 5, after: 9, every: 7, action: .fault(.swallow)),
      Rule(name: "late", times: 3, after: 30, every: 11, action: .reply(late)),
      Rule(name: "wordy", after: 50, every: 20, action: .reply(Reply(status: .invalidToken, afterFrames: 2))),
    ]
    scenario.feedback = [
      FeedbackSpecification(subject: .device("bob"), app: Samples.app, moment: .after(.minutes(3)))
    ]
    return scenario
  }

  /// Something happens.
  mutating func step() {
    if isReal, pick(3) == 0 { now = now + TimeSpan(milliseconds: Int64(pick(60_000))) }
    let simulator = run.simulator
    switch pick(16) {
    case 0:
      if let provider = try? CoreProvider(simulator, topic: Samples.topic, at: now) {
        gateways.append(provider)
      }
    case 1:
      if let provider = try? CoreRequester(simulator, at: now) { requesters.append(provider) }
    case 2...5: pushFrames()
    case 6...8: pushRequests()
    case 9:
      let provider = ProviderIdentity(topics: [Samples.topic], environment: .production, subject: "UID=sim")
      if let reader = try? simulator.openFeedback(
        ConnectionOpening(peer: "127.0.0.1:3", provider: provider),
        at: now
      ) {
        readers.append(reader)
      }
      for reader in readers { _ = reader.nextChunk(maximumBytes: 76, at: now) }
    case 10:
      let device = CoreDevice(simulator, named: ["alice", "bob", "carol"][pick(3)], outlet: false)
      device.reads = pick(2) == 0
      if pick(4) > 0 { device.connect(Samples.topic) } else { device.say("{}") }
      devices.append(device)
    case 11: end()
    case 12, 13: command()
    case 14: simulator.wake(at: now)
    default:
      _ = simulator.arrive(.gateway, at: now)
      _ = simulator.takeOrdinal(of: .http2, at: now)
      simulator.noteRefusedConnection(.gateway, peer: "127.0.0.1:9", reason: "none", subject: "", at: now)
    }
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func frame() -> [UInt8] {
    identifier += 1
    let tokens = [Samples.online, Samples.offline, [UInt8](repeating: UInt8(pick(4)), count: 32)]
    switch pick(40) {
    case 0: return Samples.frame(identifier, to: [1, 2, 3])
    case 1: return Samples.frame(identifier, payload: #"{"aps":}"#)
    case 2: return [UInt8(pick(10)), 0, 0]
    case 3: return Samples.frame(identifier, payload: String(repeating: "y", count: 700))
    case 4: return [2, 0, 0, 0, 3, 9, 0, 0]
    case 5: return Samples.frame(1, to: tokens[pick(3)])
    default:
      let expiry = UInt32(Moment.start.seconds) + UInt32(pick(9000))
      return Samples.frame(identifier, to: tokens[pick(3)], expiry: expiry)
    }
  }

  private mutating func pushFrames() {
    guard !gateways.isEmpty else { return }
    let provider = gateways[pick(gateways.count)]
    provider.now = now
    var bytes: [UInt8] = []
    for _ in 0...pick(12) { bytes += frame() }
    if pick(5) == 0 { bytes.removeLast(min(bytes.count - 1, pick(30))) }
    provider.send(bytes)
  }

  private mutating func pushRequests() {
    guard !requesters.isEmpty else { return }
    let provider = requesters[pick(requesters.count)]
    provider.now = now
    var requests: [ProviderRequest] = []
    for _ in 0...pick(4) {
      let tokens = [Samples.online, Samples.offline, [UInt8](repeating: UInt8(pick(4)), count: 32)]
      let token = Hex.encode(
        pick(8) == 0 ? [0xD1] + [UInt8](repeating: UInt8(pick(20)), count: 31) : tokens[pick(3)]
      )
      switch pick(10) {
      case 0: requests.append(provider.request(to: token, topic: nil))
      case 1: requests.append(provider.request(to: token, body: "{"))
      case 2:
        requests.append(
          provider.request(to: token, CoreRequester.token(2, issuedAt: Moment.start + .hours(-3)))
        )
      case 3:
        requests.append(
          provider.request(
            topic: nil,
            headers: [],
            body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#,
            method: "POST",
            path: "/1/apps/\(Samples.topic)/channels"
          )
        )
      case 4:
        requests.append(
          provider.request(
            to: token,
            headers: [("apns-push-type", "alert"), ("apns-collapse-id", "c\(pick(3))")]
          )
        )
      default: requests.append(provider.request(to: token))
      }
    }
    provider.send(requests)
    if pick(9) == 0 {
      let malformed = MalformedRequest(stream: 99, code: .protocolError, header: "X-Id", reason: "a rule")
      provider.connection.refuse(malformed, at: now)
    }
    if pick(6) == 0 { _ = provider.connection.giveUp(UInt32(2 * pick(40) + 1), .cancel, at: now) }
  }

  private mutating func end() {
    switch pick(6) {
    case 0 where !gateways.isEmpty: gateways.remove(at: pick(gateways.count)).close()
    case 1 where !gateways.isEmpty: gateways[pick(gateways.count)].shutdown()
    case 2 where !gateways.isEmpty: gateways[pick(gateways.count)].end()
    case 3 where !requesters.isEmpty:
      let provider = requesters.remove(at: pick(requesters.count))
      if pick(2) == 0 { _ = provider.connection.shutDown(at: now) }
      provider.close()
    case 4 where !readers.isEmpty: readers.remove(at: pick(readers.count)).closed(.peerClosed, at: now)
    case 5 where !devices.isEmpty: devices.remove(at: pick(devices.count)).close()
    default: break
    }
  }

  private mutating func command() {
    let name = ["alice", "bob", "carol"][pick(3)]
    switch pick(18) {
    case 0: run.perform(.setOnline(device: name, pick(2) == 0), at: now)
    case 1: run.perform(.setInstalled(device: name, app: nil, pick(2) == 0), at: now)
    case 2: run.perform(.removeDevice(name), at: now)
    case 3:
      run.perform(
        .putDevice(DeviceSpecification(name: name, apps: [AppSpecification(app: Samples.app)])),
        at: now
      )
    case 4: run.perform(.advanceClock(.seconds(Int64(pick(4000)))), at: now)
    case 5:
      run.perform(
        .addFeedback(
          FeedbackSpecification(
            subject: .token(Samples.offline),
            app: Samples.app,
            moment: .after(.seconds(Int64(pick(900))))
          )
        ),
        at: now
      )
    case 6: run.perform(.addRule(Rule(times: 2, action: .fault(.swallow))), at: now)
    case 7: run.perform(.clearRules, at: now)
    case 8: run.perform(.addChannel(ChannelSpecification(app: Samples.app)), at: now)
    case 9: run.perform(pick(6) == 0 ? .reset : .resumeClock, at: now)
    case 10: run.perform(pick(4) == 0 ? .clearHistory : .freezeClock, at: now)
    case 11: run.perform(.endConnection(ConnectionID(rawValue: UInt32(pick(30) + 1)), .finish), at: now)
    case 12 where pick(5) == 0:
      var next = run.scenario
      next.name = "next"
      next.devices.removeLast()
      run.perform(.replaceScenario(next), at: now)
    case 13: run.perform(.removeApp(device: name, Samples.app), at: now)
    case 14: run.perform(.clearFeedback(nil), at: now)
    case 15: run.perform(.rotateTokens(device: name, app: nil), at: now)
    default: run.perform(.setClock(Moment.start + .seconds(Int64(pick(40_000)))), at: now)
    }
  }
}
