import APNSimCore
import APNSimWire
import Testing

@Suite struct `Token trust on the device port` {
  private let simulator: Simulator

  init() throws { simulator = try Samples.simulator() }

  private func show(
    _ token: [UInt8],
    as name: String,
    topic: String = Samples.topic,
    environment: String = "production"
  ) -> CoreDevice {
    let device = CoreDevice(simulator, named: name)
    device.say(
      #"{"apps":[{"topic":"\#(topic)","environment":"\#(environment)","token":"\#(Hex.encode(token))"}]}"#
    )
    return device
  }

  @Test func `a token is good with the certificate of its device`() throws {
    let first = CoreDevice(simulator, named: "carol")
    first.connect(Samples.topic)
    let token = try #require(first.token())
    #expect(show(token, as: "carol").token() == token)
    #expect(show(Samples.offline, as: "bob").token() == Samples.offline)
  }

  @Test func `a token of an earlier run is good with the same key`() throws {
    let earlier = CoreDevice(simulator, named: "carol")
    earlier.connect(Samples.topic)
    let token = try #require(earlier.token())
    let later = try Samples.simulator()
    let device = CoreDevice(later, named: "carol")
    device.say(#"{"apps":[{"topic":"\#(Samples.topic)","token":"\#(Hex.encode(token))"}]}"#)
    #expect(device.token() == token)
  }

  @Test func `another device's token is refused, and nothing has changed`() throws {
    let device = show(Samples.offline, as: "mallory")
    #expect(device.error == "token")
    #expect(device.lines.last?["error.found"] == .string(#"the token of device "bob""#))
    #expect(device.isEnded)
    #expect(simulator.device("mallory") == nil)
    #expect(simulator.device(Hex.encode(Samples.offline))?.name == "bob")

    let carol = CoreDevice(simulator, named: "carol")
    carol.connect(Samples.topic)
    let token = try #require(carol.token())
    try simulator.perform(.removeDevice("carol"))
    let thief = show(token, as: "mallory")
    #expect(thief.lines.last?["error.found"] == .string("a token that was issued to another device"))
  }

  @Test func `a token of another app or environment, or of nobody, is refused with its origin`() throws {
    let carol = CoreDevice(simulator, named: "carol")
    carol.connect(Samples.topic, "com.example.second")
    let token = try #require(carol.token("com.example.second"))
    #expect(
      show(token, as: "carol").lines.last?["error.found"]
        == .string("a token for com.example.second (production)")
    )
    #expect(
      show(token, as: "carol", topic: "com.example.second", environment: "sandbox")
        .lines.last?["error.found"] == .string("a token for com.example.second (production)")
    )
    let madeUp = [UInt8](repeating: 0xEE, count: 32)
    #expect(
      show(madeUp, as: "carol").lines.last?["error.found"]
        == .string("a token that this simulator did not issue")
    )
  }

  @Test func `a device refused while it is connected goes offline`() throws {
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect(Samples.topic)
    bob.say(#"{"install":{"topic":"com.example.second","token":"\#(Hex.encode(Samples.online))"}}"#)
    #expect(bob.error == "token")
    #expect(simulator.device("bob")?.isOnline == false)
    bob.connect(Samples.topic)
    #expect(bob.kinds == ["device", "error"])
  }
}

@Suite struct `Tokens that a provider sends to` {
  private func simulator() throws -> Simulator {
    try Samples.simulator { $0.tokens = .issued }
  }

  /// A token that some simulator with the same key issued.
  private func issued(to device: UInt8, _ topic: String, _ environment: PushEnvironment = .production)
    -> [UInt8]
  {
    SeededTokenIssuer(seed: 7).issue(
      device: [UInt8](repeating: device, count: 16),
      app: AppKey(topic: topic, environment: environment)
    )
  }

  @Test func `an issued token that is unknown is a device on first sight`() throws {
    let simulator = try simulator()
    let provider = try CoreProvider(samples: simulator)
    let token = issued(to: 9, Samples.topic)
    provider.send(Samples.frame(1, to: token) + Samples.frame(2, to: token))
    #expect(provider.reply.isEmpty)
    #expect(simulator.outcomes == [.delivered, .delivered])
    #expect(simulator.device(Hex.encode(token))?.apps.first?.isIssued == true)
  }

  @Test func `a token of another environment, another app or nobody is status 8 and said so`() throws {
    let others: [(token: [UInt8], words: String)] = [
      (issued(to: 9, Samples.topic, .sandbox), "in the other environment"),
      (issued(to: 9, "com.example.other"), "belongs to another app"),
      ([UInt8](repeating: 0xEE, count: 32), "was not issued by this simulator"),
      (Samples.online, "was not issued by this simulator"),
    ]
    for other in others {
      let simulator = try simulator()
      _ = try CoreProvider(simulator, topic: "com.example.other")
      let provider = try CoreProvider(samples: simulator)
      provider.send(Samples.frame(5, to: other.token))
      #expect(provider.reply == [8, 8, 0, 0, 0, 5])
      let details = simulator.notifications().last?.explanations.compactMap(\.detail).joined()
      #expect(details?.contains(other.words) == true, "\(other.words)")
    }
  }
}
