import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

/// Hints of requests name the cause, not the check.
@Suite struct `Hints of requests` {
  // MARK: Payloads that no device can read

  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0, 0], "at offset 0: expected a dictionary", "compressed by gzip"),
      (text("\u{FEFF}{\"aps\":{}}"), "at offset 0: expected no byte order mark", "without a byte order mark"),
      (
        text(#"{"order":7}"#), "expected a dictionary 'aps' in the root, found none", "does not read payloads"
      ),
      (
        text(#"{"aps":"hello"}"#), "at offset 7: expected a dictionary as 'aps', found a string",
        "is the alert"
      ),
      (text(#"{"aps":"{\"alert\":1}"}"#), "at offset 7: expected a dictionary as 'aps'", "encoded twice"),
      (text(#""{\"aps\":{}}""#), "at offset 0: expected a dictionary as the root", "encoded twice"),
      (text(#"{"aps":{"alert":"hel"#), "at offset 20: expected", "it is cut after 20 bytes"),
      (text(#"{"aps":{"alert":"Görüş"#), "at offset 25: expected", "looks counted in characters"),
      (text("payload=%7B%22aps%22"), "at offset 0: expected a dictionary", "looks like a form"),
      (
        text(#"{"message":{"token":"x","apns":{"payload":{"aps":{"alert":"hi"}}}}}"#), "found none",
        "Firebase Cloud Messaging: APNs takes what is inside 'message.apns.payload'"
      ),
      (text(#"{"message":{"token":"x","notification":{"title":"hi"}}}"#), "found none", "Firebase"),
      (text(#"{"to":"x","notification":{"body":"hi"}}"#), "found none", "'notification' is {"),
    ] as [([UInt8], String, String)]
  )
  func `a payload that no device can read is named with its place`(
    bytes: [UInt8],
    detail: String,
    hint: String
  ) throws {
    let last = try explained { $0.request(bytes: bytes) }
    #expect(last.check == "deliver" && !last.isPassed)
    let text = last.detail ?? ""
    #expect(
      text.hasPrefix("alice could not read the payload, at offset ") && text.contains(detail),
      "\(last)"
    )
    #expect(last.hint?.contains(hint) == true && last.hint?.contains("--payload") == false, "\(last)")
  }

  @Test func `a payload that waits is named when its device is back and cannot read it`() throws {
    let provider = try CoreRequester(Samples.simulator { $0.payload = .lenient })
    provider.send(provider.request(to: Hex.encode(Samples.offline), bytes: [0x1F, 0x8B, 8]))
    try provider.simulator.perform(.setOnline(device: "bob", true))
    let last = try #require(provider.simulator.notification(1)?.explanations.last)
    #expect(
      last.check == "dropped" && last.detail?.contains("at offset 0: expected a dictionary") == true,
      "\(last)"
    )
  }

  // MARK: Device tokens

  static let digits = String(repeating: "a1", count: 32)

  @Test(arguments: [
    (
      "oaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaE=",
      "is Base64: send the hex digits of the bytes that it encodes"
    ),
    ("oaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaE", "is Base64"),
    (
      "<\(digits.prefix(8)) \(digits.dropFirst(8))>",
      "with angle brackets or spaces: send the hex digits alone"
    ),
    ("%3C\(digits)%3E", "with angle brackets or spaces"),
    ("{length = 32, bytes = 0xa1a1a1a1 ... a1a1a1a1 }", "since iOS 13"),
    ("0x\(digits)", "hex digits after 0x"), ("Optional(\"\(digits)\")", "something else before or after"),
    ("\(digits)%0A", "something else before or after"),
    ("undefined", "the word 'undefined', for a value that is not"),
    ("null", "the word 'null'"), ("[object Object]", "the word '[object Object]'"),
    ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "Expo"),
    ("dG9rZW4tb2Y6:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx", "Firebase Cloud Messaging"),
    ("8C59AEB4-6E5D-4BC5-B6BC-1E7D3D1B8E72", "a UUID"), ("xyz", "a device token is written in hex digits"),
    (String(digits.dropLast()), "63 hex digits: two stand for a byte, so one is missing"),
    (String(digits.dropLast(2)), "has 31 bytes, and no device token has fewer than 32"),
    (String(repeating: "a1", count: 101), "has 101 bytes, and no device token has more than 100"),
    (Hex.encode(Array(digits.utf8)), "the digits name hex digits: encoded twice: the text 'a1a1"),
    (Hex.encode(Base64.decode(digits) ?? []), "when they are decoded as Base64: send 'a1a1"),
    (
      String(repeating: "b1", count: 32),
      "no device has this token for com.example.sim (production): devices come"
    ),
  ])
  func `a device token of another form is named by it`(token: String, hint: String) throws {
    let last = try explained { $0.request(to: token) }
    #expect(last.check == "deviceToken" && last.hint?.contains(hint) == true, "\(last)")
  }

  @Test(arguments: ["undefined", "ExponentPushToken[Xx]", "0x\(digits)", String(digits.dropLast())])
  func `a device token that is none is there as it was sent, and a query finds it`(token: String) throws {
    let provider = try CoreRequester(Samples.simulator())
    provider.send(provider.request(to: String(repeating: "b7", count: 32)))
    provider.send(provider.request(to: token))
    let view = try #require(provider.simulator.notification(2))
    #expect(view.tokenText == token && view.token.isEmpty)
    var writer = JSONWriter()
    writer.beginObject()
    view.writeMembers(to: &writer)
    writer.endObject()
    #expect(try JSONValue.parse(writer.bytes)["token"] == .string(token))
    for matcher in [
      Matcher.equals(.string(token.lowercased())), .contains(String(token.lowercased().dropFirst(2))),
    ] {
      let query = Query([Query.Condition(path: "token", matcher: matcher)])
      let found = provider.simulator.notifications(from: 1, limit: 10, matching: CompiledQuery(query))
      #expect(found.views.map(\.number) == [2])
    }
  }

  // MARK: Paths

  @Test(arguments: [
    ("/3/devices/\(digits)", "the path is /3/device/\(digits)"),
    ("/device/\(digits)", "the path is /3/device/\(digits)"),
    ("/v3/device/\(digits)", "the path is /3/device/\(digits)"),
    ("/\(digits)", "the path is /3/device/\(digits)"),
    ("//3/device/\(digits)", "the path is /3/device/\(digits)"),
    ("/", "the path is /3/device/<device token in hex digits>"),
    ("/4/broadcast/apps/com.example.sim", "/4/broadcasts/apps/<bundle ID>"),
    ("/1/apps/com.example.sim/channel", "/1/apps/<bundle ID>/channels"),
    ("/v1/projects/x/messages:send", "Firebase Cloud Messaging: APNs has /3/device/"),
  ])
  func `a path that is none is told the right one, and nothing of devices`(path: String, hint: String) throws
  {
    let last = try explained { $0.request(to: "b1", path: path) }
    #expect(last.check == "path" && last.hint?.contains(hint) == true, "\(last)")
    #expect(last.hint?.contains("devices come") == false)
  }

  // MARK: Topics

  private static let other = AppKey(topic: "com.example.other", environment: .production)

  @Test func `a token of another app is told whose it is`() throws {
    let last = try explained { $0.request(to: String(repeating: "07", count: 32)) }
    #expect(last.check == "tokenTopic")
    #expect(
      last.hint
        == "the token belongs to com.example.other (production), not to com.example.sim: each app on a device has its own token"
    )
    let sandbox = try explained { $0.request(to: String(repeating: "5b", count: 32)) }
    #expect(
      sandbox.check == "deviceToken"
        && sandbox.hint?.contains("com.example.sim in the other environment") == true
    )
  }

  @Test func `a PushKit token to the plain topic is told its own topic`() throws {
    let last = try explained { $0.request(to: String(repeating: "c1", count: 32)) }
    #expect(
      last.check == "tokenTopic"
        && last.hint?.contains("belongs to com.example.sim.voip (production)") == true,
      "\(last)"
    )
  }

  @Test(arguments: [
    ("voip", Samples.topic, "the topic of push type voip ends in .voip: com.example.sim.voip"),
    ("complication", "\(Samples.topic).voip", "ends in .complication: com.example.sim.complication"),
  ])
  func `a push type whose suffix the topic lacks is told the topic`(type: String, topic: String, hint: String)
    throws
  {
    let last = try explained { $0.request(topic: topic, headers: [("apns-push-type", type)]) }
    #expect(last.check == "tokenTopic" && last.hint?.contains(hint) == true, "\(last)")
  }

  @Test func `a topic that is refused is told the provider's`() throws {
    let byTeam = try explained { $0.request(topic: "com.example.nope") }
    #expect(byTeam.hint == "com.example.nope belongs to team OTHERTEAM1, the provider token to team TEAM")
    let scope = ProviderKeyScope(topics: ["com.example.one", "com.example.two"])
    let byKey = try explained { $0.request(CoreRequester.token(scope: scope)) }
    #expect(byKey.hint == "the key KEY is good for com.example.one, com.example.two")
    let byCertificate = try explained(topics: ["com.example.app", "com.example.app.voip"]) {
      $0.request(.certificate)
    }
    #expect(byCertificate.hint == "the certificate is for com.example.app, com.example.app.voip")
    let noTopic = try explained { $0.request(topic: "com.example sim") }
    #expect(noTopic.hint?.hasPrefix("a topic is a bundle ID") == true)
    for last in [byTeam, byKey, byCertificate, noTopic] { #expect(last.check == "topic", "\(last)") }
  }

  // MARK: Push types

  @Test(arguments: [
    ("silent", "did you mean 'background'?"), ("Alert", "did you mean 'alert'?"),
    ("alerts", "did you mean 'alert'?"),
    ("live-activity", "did you mean 'liveactivity'?"), ("backgroud", "did you mean 'background'?"),
    ("zzz", nil),
  ])
  func `a push type that does not exist is told the nearest, and all`(type: String, hint: String?) throws {
    let last = try explained { $0.request(headers: [("apns-push-type", type)]) }
    #expect(last.check == "pushType" && last.hint == hint, "\(last)")
    for type in PushType.allCases { #expect(last.detail?.contains(type.name) == true) }
  }

  @Test func `a plain push type on a topic with a suffix is told the suffix's`() throws {
    let last = try explained { $0.request(topic: "\(Samples.topic).voip") }
    #expect(last.hint == "the topic ends in .voip, whose push type is voip")
  }

  // MARK: Helpers

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The last line about a request.
  private func explained(
    topics: [String] = [],
    _ request: (CoreRequester) -> ProviderRequest
  ) throws -> Explanation {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = Samples.devices
    scenario.teams["com.example.nope"] = "OTHERTEAM1"
    let sandbox = AppKey(topic: Samples.topic, environment: .sandbox)
    let voip = AppKey(topic: Samples.topic + ".voip", environment: .production)
    scenario.devices[0].apps += [
      AppSpecification(app: Self.other, token: Array(repeating: 0x07, count: 32)),
      AppSpecification(app: sandbox, token: Array(repeating: 0x5B, count: 32)),
      AppSpecification(app: voip, token: Array(repeating: 0xC1, count: 32)),
    ]
    var configuration = Configuration()
    (configuration.tokens, configuration.payload) = (.known, .lenient)
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 1,
      start: Moment.start
    )
    let provider = try CoreRequester(simulator, topics: topics)
    provider.send(request(provider))
    return try #require(simulator.notification(1)?.explanations.last)
  }
}
