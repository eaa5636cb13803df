import APNSimCore
import Testing

@Suite struct `Under the lenient policy` {
  @Test(arguments: [
    (#"{"aps":{"alert":"ok","badge":"5"}}"#, Outcome.delivered),
    (#"{"aps":{"badge":true,"sound":"x"}}"#, .delivered),
    (#"{"aps":{"alert":5},"acme":1}"#, .delivered), (#"{"aps":{"alert":{"body":5}}}"#, .delivered),
    (#"{"aps":{"sound":1,"category":"x"}}"#, .delivered), (#"{"aps":{"badge":"5"}}"#, .dropped),
    (#"{"aps":{"alert":5,"sound":null,"content-available":[]}}"#, .dropped), (#"{"aps":[]}"#, .dropped),
  ])
  func `a device ignores a key of the wrong type, and drops a payload that has no other`(
    payload: String,
    outcome: Outcome
  ) throws {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    try CoreProvider(samples: simulator).send(Samples.frame(1, payload: payload))
    #expect(simulator.outcomes == [outcome])
    #expect(simulator.device("alice")?.apps.first?.badge == 0)
  }

  @Test(arguments: [
    ("{", "found the end of the payload"), (#"{"aps":{"badge":true,"alert":"ok"}}"#, "badge"),
    (#"{"x":1}"#, "aps"),
  ])
  func `an explanation says what is wrong with a payload that is accepted`(
    payload: String,
    detail: String
  ) throws {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    try CoreProvider(samples: simulator).send(Samples.frame(1, payload: payload))
    let explanations = try #require(simulator.notification(1)).explanations
    let told = explanations.first { $0.check == "payload" }?.detail ?? ""
    #expect(told.contains(detail) && told.hasSuffix("the lenient policy lets it pass"), "\(told)")
  }

  @Test func `an expiry of 1970 is not blamed for what it did not do`() throws {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, expiry: 3600, payload: "{"))
    provider.send(Samples.frame(2, to: Samples.offline, expiry: 3600))
    let hints = simulator.notifications().map { $0.explanations.last?.hint ?? "" }
    #expect(hints.first?.contains("--payload strict") == true && hints.last?.contains("1970") == true)
  }
}

@Suite struct `Under the strict policy` {
  @Test(arguments: [
    ("com.apple.mgmt.External.1234", #"{"mdm":"B5C4"}"#, Outcome.delivered),
    ("com.apple.mgmt.External.1234", #"{"mdm":5}"#, .rejected),
    ("com.apple.mgmt.External.1234", #"{"mdm":"B5C4","x":1}"#, .rejected),
    ("com.apple.mgmt.External.1234", "{}", .rejected), ("com.apple.mgmt.External.1234", "{", .rejected),
    ("pass.com.example.ticket", "{}", .delivered), ("pass.com.example.ticket", #"{"mdm":"B5C4"}"#, .rejected),
    ("com.example.app", "{}", .rejected), ("com.example.app", #"{"mdm":"B5C4"}"#, .rejected),
  ])
  func `a service of Apple's takes the payload that Apple prescribes for it`(
    topic: String,
    payload: String,
    outcome: Outcome
  ) throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    try CoreProvider(simulator, topic: topic).send(Samples.frame(1, payload: payload))
    #expect(simulator.outcomes == [outcome])
    let told =
      try #require(simulator.notification(1)).explanations.first { $0.check == "payload" }?.detail ?? ""
    #expect(told.hasPrefix("what Apple prescribes") == (outcome == .delivered))
  }
}
