import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

/// Rules are passed over by a glance at the bytes where they cannot match; the glance must never be wrong.
@Suite struct `Passing over rules` {
  /// A payload, and a test of its text that holds although the bytes of the text need not be there.
  static let writings: [(payload: String, matcher: Matcher)] = [
    (#"{"aps":{"alert":"Order 7"}}"#, .contains("rder 7")),
    (#"{"aps":{"alert":"Order 7"}}"#, .startsWith("Order")),
    (#"{"aps":{"alert":"Order 7"}}"#, .equals(.string("Order 7"))),
    (#"{"aps":{"alert":"O\u0072der 7"}}"#, .contains("Order")),
    (#"{"aps":{"alert":"Order\/7"}}"#, .contains("Order/7")),
    (#"{"aps":{"alert":"Order \"7\""}}"#, .contains(#""7""#)),
    (#"{"aps":{"alert":"caf\u00e9"}}"#, .contains("caf\u{E9}")),
    (#"{"aps":{"alert":"x"}}"#, .contains("")),
  ]

  @Test(arguments: writings.indices)
  func `a text is found in whatever way the payload writes it`(index: Int) throws {
    let (payload, matcher) = Self.writings[index]
    var match = RuleMatch()
    match.payload = [RuleMatch.PathMatch(path: "aps.alert", matcher: matcher)]
    #expect(try fires(match, Samples.frame(5, payload: payload)))
  }

  @Test(arguments: [("\u{212A}ey", "Key"), ("cafe\u{301}", "caf\u{E9}"), ("caf\u{E9}", "cafe\u{301}")])
  func `a text in another form of its characters is not found`(sent: String, wanted: String) throws {
    var match = RuleMatch()
    match.payload = [RuleMatch.PathMatch(path: "aps.alert", matcher: .contains(wanted))]
    #expect(try !fires(match, Samples.frame(5, payload: "{\"aps\":{\"alert\":\"\(sent)\"}}")))
  }

  @Test func `a text that is not there is not found, and the next payload is looked at anew`() throws {
    var match = RuleMatch()
    match.payload = [RuleMatch.PathMatch(path: "aps.alert", matcher: .contains("Order"))]
    let provider = try CoreProvider(samples: simulator(match))
    provider.send(Samples.frame(1, payload: #"{"aps":{"alert":"Reply"}}"#))
    provider.send(
      Samples.frame(2, payload: #"{"aps":{"alert":"Offer"}}"#)
        + Samples.frame(3, payload: #"{"aps":{"alert":"Order"}}"#)
    )
    #expect(provider.reply == [8, 1, 0, 0, 0, 3])
  }

  @Test func `texts beyond those that can be glanced for are found as well`() throws {
    // More pairs of characters than there are places for them: the last rule's are left out.
    let texts = (0..<20).map { (number: Int) -> String in
      let bytes: [UInt8] = (0..<6).map { (place: Int) -> UInt8 in
        UInt8(93 + (number * 7 + place * place) % 33)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let matches = (texts + ["Berlin"]).map { text in
      var match = RuleMatch()
      match.payload = [RuleMatch.PathMatch(path: "aps.alert", matcher: .contains(text))]
      return match
    }
    let simulator = try Simulator(scenario: scenario(matches), seed: 7, start: Moment.start)
    let provider = try CoreProvider(samples: simulator)
    provider.send(
      Samples.frame(1, payload: #"{"aps":{"alert":"Bern, nil"}}"#)
        + Samples.frame(2, payload: #"{"aps":{"alert":"from Berlin"}}"#)
    )
    #expect(provider.reply == [8, 1, 0, 0, 0, 2])
  }

  @Test func `place, command and identifier are compared by value`() throws {
    var match = RuleMatch()
    match.nth = .equals(.number("1.0"))
    match.command = .equals(.number("1"))
    match.identifier = .equals(.string("00000005"))
    #expect(try fires(match, Samples.frame(5)))
    match.identifier = .equals(.string("00000006"))
    #expect(try !fires(match, Samples.frame(5)))
  }

  private func fires(_ match: RuleMatch, _ frame: [UInt8]) throws -> Bool {
    let provider = try CoreProvider(samples: simulator(match))
    provider.send(frame)
    return provider.reply == [8, 1, 0, 0, 0, 5]
  }

  private func simulator(_ match: RuleMatch) throws -> Simulator {
    try Simulator(scenario: scenario([match]), seed: 7, start: Moment.start)
  }

  private func scenario(_ matches: [RuleMatch]) -> Scenario {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.rules = matches.map { Rule(when: $0, action: .reply(Reply(status: .processingError))) }
    return scenario
  }
}
