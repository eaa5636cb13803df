import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Advice on requests` {
  private static func advice(_ act: (CoreRequester) throws -> Void) throws -> [String: UInt64] {
    let provider = try CoreRequester(Samples.simulator())
    try act(provider)
    let advice = provider.simulator.advice()
    #expect(advice.allSatisfy { !$0.text.isEmpty && !$0.kind.sentence.isEmpty && !$0.kind.source.isEmpty })
    return Dictionary(uniqueKeysWithValues: advice.map { ($0.kind.description, $0.count) })
  }

  @Test func `advice is given on provider tokens`() throws {
    let found = try Self.advice { provider in
      for number: UInt64 in 1...4 { provider.send(provider.request(CoreRequester.token(number))) }
      provider.send(provider.request(CoreRequester.token(1, issuedAt: Moment.start + .seconds(-3601))))
    }
    #expect(found == ["providerTokenUpdates": 3, "staleProviderToken": 1])
  }

  @Test func `advice is given on what only some servers take of a provider token`() throws {
    let found = try Self.advice { provider in
      var token = ProviderTokenFacts(
        number: 1,
        keyID: "KEY",
        teamID: "TEAM",
        issuedAt: Moment.start.seconds,
        verdict: .good,
        remarks: .textIssuedAt
      )
      provider.send(provider.request(.bearer(token)))
      (token.number, token.remarks) = (2, [.textIssuedAt, .derSignature])
      provider.send(provider.request(.bearer(token)))
    }
    #expect(found == ["textTokenTime": 2, "derTokenSignature": 1, "providerTokenUpdates": 1])
  }

  @Test func `advice is given on headers`() throws {
    let found = try Self.advice { provider in
      for priority in ["5", "10"] {
        provider.send(
          provider.request(headers: [("apns-push-type", "background"), ("apns-priority", priority)])
        )
      }
      provider.send(provider.request(headers: [("apns-push-type", "background")]))
      for expiration in ["300", "0", "1338512400"] {
        provider.send(
          provider.request(headers: [("apns-push-type", "alert"), ("apns-expiration", expiration)])
        )
      }
      provider.send(provider.request(headers: []))
    }
    #expect(
      found == [
        "backgroundAtPriority10": 2, "contradictingPushType": 2, "expirationAsDuration": 1,
        "missingPushType": 1,
      ]
    )
  }

  @Test(arguments: [
    ("background", #"{"aps":{"content-available":1}}"#, nil), ("alert", #"{"aps":{"alert":"hi"}}"#, nil),
    ("alert", #"{"aps":{"badge":1}}"#, nil), ("alert", "{}", nil),
    ("background", #"{"aps":{"alert":"hi"}}"#, "send alert"),
    ("alert", #"{"aps":{"content-available":1}}"#, "send background with priority 5"),
    ("alert", #"{"mdm":"5AF4D5B6"}"#, "send mdm"),
  ])
  func `a push type that its payload contradicts is remarked on, and advised about`(
    type: String,
    body: String,
    end: String?
  ) throws {
    var hint: String?
    let found = try Self.advice { provider in
      provider.send(
        provider.request(headers: [("apns-push-type", type), ("apns-priority", "5")], body: body)
      )
      hint = provider.simulator.notification(1)?.explanations.first { $0.check == "pushType" }?.hint
    }
    #expect(found["contradictingPushType"] == (end == nil ? nil : 1))
    #expect(hint.map { $0.hasSuffix(end ?? "none") } == (end == nil ? nil : true))
  }

  @Test func `advice is given on tokens: those that were answered 410, and those that are none, in bulk`()
    throws
  {
    let found = try Self.advice { provider in
      try provider.simulator.perform(.setInstalled(device: "alice", app: nil, false))
      for _ in 0..<3 { provider.send(provider.request()) }
      for _ in 0..<19 { provider.send(provider.request(to: String(repeating: "5a", count: 32))) }
    }
    #expect(found == ["sentToUnregisteredToken": 2])
    let bulk = try Self.advice { provider in
      for _ in 0..<20 { provider.send(provider.request(to: String(repeating: "5a", count: 32))) }
    }
    #expect(bulk == ["badDeviceTokens": 20])
  }

  @Test func `advice is given on a provider token for each push, however the service counts them`() throws {
    func found(pushes: Int, tokens: Int, settings: (inout Configuration) -> Void) throws -> [AdviceKind] {
      let simulator = try Samples.simulator(settings)
      for number in 0..<pushes {
        let provider = try CoreRequester(simulator)
        let token = CoreRequester.token(UInt64(1 + number % tokens))
        provider.send(provider.request(token), provider.request(token))
      }
      return simulator.advice().map(\.kind)
    }
    #expect(try found(pushes: 20, tokens: 20) { _ in } == [])
    #expect(try found(pushes: 21, tokens: 21) { _ in } == [.tokenPerPush])
    #expect(try found(pushes: 21, tokens: 21) { $0.tokenUpdates = .off } == [.tokenPerPush])
    // A fleet whose members take turns with tokens of their own.
    #expect(try found(pushes: 200, tokens: 50) { $0.tokenUpdates = .off } == [])
  }

  @Test func `advice is not given on a provider token that is new every twenty minutes`() throws {
    let simulator = try Samples.simulator()
    for number in 0..<60 {
      let now = Moment.start + .minutes(20 * Int64(number))
      try simulator.perform(.setClock(now))
      let provider = try CoreRequester(simulator, at: now)
      provider.send(provider.request(CoreRequester.token(UInt64(number), issuedAt: now)))
    }
    #expect(simulator.advice().isEmpty)
  }

  @Test func `advice is given on connections for a single push each, however slow`() throws {
    let simulator = try Samples.simulator()
    for number in 1...20 {
      #expect(simulator.advice().isEmpty)
      let now = Moment.start + .minutes(Int64(number))
      try simulator.perform(.setClock(now))
      let provider = try CoreRequester(simulator, at: now)
      provider.send(provider.request())
      provider.now = now + .seconds(20)
      try simulator.perform(.setClock(provider.now))
      provider.close()
    }
    #expect(simulator.advice().map(\.kind) == [.connectionPerPush])
  }

  @Test func `advice is given on a connection for each push`() throws {
    let simulator = try Samples.simulator()
    for _ in 0..<20 {
      let provider = try CoreRequester(simulator)
      provider.send(provider.request())
      provider.close()
    }
    #expect(simulator.advice().map(\.kind) == [.connectionChurn])
  }
}
