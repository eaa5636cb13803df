import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser
import Testing

@testable import apnsim

@Suite struct `What the control commands print` {
  private func json(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

  @Test func `a notification is a line, with colour by outcome`() throws {
    let notification = try json(
      #"{"id":"n57","time":"2012-06-01T00:00:00.123Z","connection":"c3","topic":"com.example.app","token":"bbbb","#
        + #""device":"bob","identifier":"01020304","outcome":"rejected","status":8,"#
        + #""payload":{"aps":{"alert":{"body":"a\nb"},"badge":3,"sound":"ding.aiff"}}}"#
    )
    #expect(
      NotificationSummary.text(notification, .plain)
        == "00:00:00.123  n57  c3  com.example.app  bob  rejected with 8 (Invalid token)  #01020304  \"a b\"  "
        + "badge 3  sound ding.aiff"
    )
    #expect(
      TerminalText.safe(NotificationSummary.text(notification, Style(isOn: true))).contains(
        "\u{1B}[31mrejected"
      )
    )
  }

  @Test func `a line without its payload is read from the frame`() throws {
    let frame = NotificationFrame(
      command: 0,
      identifier: nil,
      expiry: nil,
      priority: nil,
      token: [UInt8](repeating: 0xAB, count: 32),
      payload: Array(#"{"aps":{"alert":"hi"}}"#.utf8)
    ).encode()
    let line = try json(
      #"{"id":"n1","token":"abababababababab","outcome":"delivered","raw":"\#(Base64.encode(frame))"}"#
    )
    #expect(NotificationSummary.text(line, .plain) == "n1  abababababab…  delivered  \"hi\"")
  }

  @Test func `a request's line says what it was answered`() throws {
    func text(_ members: String) throws -> String {
      NotificationSummary.text(try json(#"{"id":"n1","interface":"http2",\#(members)}"#), .plain)
    }
    let refused = #""outcome":"rejected","status":410,"reason":"Unregistered""#
    #expect(try text(refused) == "n1  rejected with 410 Unregistered")
    // A line of the journal says by what, the API's object explains it.
    #expect(try text(refused + #","rule":2"#) == "n1  rejected with 410 Unregistered, by rule 2")
    #expect(
      try text(refused + #","check":"token","rule":2"#) == "n1  rejected with 410 Unregistered, rule 2 fired"
    )
    #expect(try text(refused + #","magic":true"#) == "n1  rejected with 410 Unregistered, by its magic token")
    let explained =
      #","explain":[{"check":"rule","ok":false,"detail":"rule \"gone\" answers 410 Unregistered"}]"#
    #expect(try text(refused + explained) == "n1  rejected with 410 Unregistered, by a rule")
    let magic =
      #""outcome":"discarded","status":null,"explain":[{"check":"magicToken","ok":true,"detail":"the token …"}]"#
    #expect(try text(magic) == "n1  discarded, no answer, by its magic token")
    #expect(try text(#""outcome":"delivered","status":200"#) == "n1  delivered")
    #expect(try text(#""outcome":"delivered","status":null"#) == "n1  delivered, no answer")
    let evidence = ProviderRequest(
      stream: 1,
      headers: [(name: Array(":path".utf8), value: Array("/3/device/ab".utf8))],
      body: Array(#"{"aps":{"alert":"hi"}}"#.utf8),
      authorization: RequestAuthorization()
    ).bytes
    let line = #""outcome":"delivered","status":200,"raw":"\#(Base64.encode(evidence))""#
    #expect(try text(line) == #"n1  delivered  "hi""#)
  }

  @Test func `the journal reads in the provider's terms, and says nothing twice`() throws {
    var lines = EventLines(style: .plain)
    func text(_ line: String) -> String? { lines.text(Array(line.utf8)) }
    let time = #""time":"2012-06-01T00:00:00.000Z""#
    #expect(
      text(
        #"{"seq":1,\#(time),"event":"connectionOpened","connection":"c1","listener":"gateway","peer":"127.0.0.1:5","#
          + #""provider":{"topic":"com.a","environment":"production"},"tls":{"version":"1.2"}}"#
      ) == "00:00:00.000  c1  gateway opened by com.a (production), 127.0.0.1:5, TLS 1.2"
    )
    #expect(text(#"{"seq":2,\#(time),"event":"notification","id":"n1","outcome":"stored"}"#) != nil)
    #expect(text(#"{"seq":3,\#(time),"event":"stored","notification":"n1","device":"bob"}"#) == nil)
    #expect(
      text(#"{"seq":4,\#(time),"event":"delivered","notification":"n1","device":"bob"}"#)
        == "00:00:00.000  n1  bob  delivered"
    )
    #expect(
      text(
        #"{"seq":5,\#(time),"event":"errorSent","connection":"c1","notification":"n2","status":8,"#
          + #""name":"Invalid token","identifier":"00000002"}"#
      ) == "00:00:00.000  c1  error response: status 8 (Invalid token), identifier 00000002 for n2"
    )
    #expect(text(#"{"seq":6,\#(time),"event":"later","what":"x"}"#) == "00:00:00.000  later  what x")
    #expect(text(#"{"seq":7,\#(time),"event":"soon"}"#) == "00:00:00.000  soon")
    #expect(
      text(#"{"seq":8,\#(time),"event":"inputEnded","connection":"c1"}"#)
        == "00:00:00.000  c1  no more notifications will come"
    )
    #expect(
      text(#"{"seq":9,\#(time),"event":"commandFailed","reason":"there is no device \"bob\""}"#)
        == "00:00:00.000  a command failed: there is no device \"bob\""
    )
    #expect(text(#"{"seq":10,\#(time),"event":"historyCleared"}"#) == "00:00:00.000  history cleared")
    #expect(text("nonsense") == nil)
  }

  @Test func `a wait that failed says what came nearest, in full`() throws {
    let answer = try json(
      #"{"satisfied":false,"matched":1,"waited":"5.0s","notifications":[{"id":"n1","outcome":"delivered"}],"#
        + #""nearMisses":[{"id":"n57","differences":[{"path":"payload.aps.alert","expected":"contains \"Order\"","#
        + #""actual":"order #17","found":"\"order #17\""},{"path":"device","expected":"equals bob","#
        + #""actual":null,"found":"nothing"}]}]}"#
    )
    let report = WaitReport(answer, wanted: "at least 2")
    #expect(
      report.lines(.plain) == [
        "n1  delivered", "near miss  n57",
        "  payload.aps.alert: expected contains \"Order\", found \"order #17\"",
        "  device: expected equals bob, found nothing",
      ]
    )
    #expect(report.failure == "expected at least 2 to match, found 1 within 5.0s")
    #expect(!report.isSatisfied)
  }

  @Test func `a rule is the same as text and in flags`() throws {
    let flags = try FaultFlags.parse(["--nth", "3", "--status", "8", "--after-frames", "20", "--times", "1"])
    let text = try RuleText.json("when: {nth: 3}, reply: {status: 8, afterFrames: 20}, times: 1")
    #expect(try RuleText.json(flags.text ?? "") == text)
    #expect(text.description == #"{"when":{"nth":3},"reply":{"status":8,"afterFrames":20},"times":1}"#)
    let fault = try FaultFlags.parse(["--fault", "reset={afterBytes: 40}", "--topic", "a: b", "--name", "x"])
    #expect(
      try RuleText.json(fault.text ?? "").description
        == #"{"name":"x","when":{"topic":"a: b"},"fault":{"reset":{"afterBytes":40}}}"#
    )
    #expect(try FaultFlags.parse([]).text == nil)
  }

  @Test func `the examples of "fault add" are rules`() throws {
    let examples = FaultAddCommand.configuration.discussion.split(separator: "\n")
      .filter { $0.hasPrefix("apnsim fault add ") }
    #expect(examples.count == 5)
    for example in examples {
      // As a shell does: what stands in quotes is one argument.
      let parts = example.split(separator: "'", omittingEmptySubsequences: false)
      let arguments = parts.enumerated().flatMap { index, part in
        index % 2 == 1 ? [String(part)] : part.split(separator: " ").map { String($0) }
      }
      let command = try FaultAddCommand.parse(Array(arguments.dropFirst(3)))
      _ = try RuleText.json(try #require(command.rule ?? command.flags.text))
    }
  }

  @Test func `a mistake in a rule has a place, and a suggestion`() throws {
    let error = #expect(throws: DocumentError.self) { try RuleText.json("wen: {nth: 3}, reply: {status: 8}") }
    #expect(error?.description.contains("did you mean \"when\"?") == true)
  }

  @Test func `faults, connections and devices are tables`() throws {
    let faults = try json(
      #"{"faults":[{"id":"r1","name":"slow","fired":2,"spent":true,"rule":{"name":"slow","when":{"nth":3},"#
        + #""reply":{"status":8}}}]}"#
    )
    #expect(
      FaultTable.lines(faults, .plain) == ["r1  slow  fired 2, done  when: {nth: 3}, reply: {status: 8}"]
    )
    let connection = try json(
      #"{"id":"c3","open":false,"listener":"gateway","provider":{"topic":"com.a","environment":"production"},"#
        + #""received":5,"accepted":1,"error":{"status":8,"identifier":"00000002"},"#
        + #""resend":{"failed":["00000002"],"discarded":["00000003","00000004"],"resent":["00000003"],"#
        + #""lost":["00000004"]}}"#
    )
    #expect(
      ConnectionText.lines(connection, JSONValue.null, .plain) == [
        "c3  closed  gateway  com.a (production)  5 received, 1 accepted  status 8 for 00000002",
        "  failed     00000002           (the error response names it)",
        "  discarded  00000003 00000004  (sent after it, unread)",
        "  resent     00000003           (sent again since)",
        "  lost       00000004           (not sent again)",
      ]
    )
    let waiting = try json(
      #"{"id":"c4","open":true,"listener":"gateway","provider":{"topic":"com.a","environment":"production"},"#
        + #""received":0,"accepted":0,"error":null,"unfinished":{"command":2,"bytes":73,"expected":74,"exact":true,"#
        + #""text":"73 of 74 bytes of a command 2 frame"}}"#
    )
    #expect(
      ConnectionText.lines(waiting, JSONValue.null, .plain) == [
        "c4  open  gateway  com.a (production)  0 received, 0 accepted  "
          + "within a frame: 73 of 74 bytes of a command 2 frame",
        "  unfinished  73 of 74 bytes of a command 2 frame  (the rest has not come)",
      ]
    )
    let requests = try json(
      #"{"id":"c5","open":false,"listener":"http2","provider":{"topic":"","environment":"production"},"received":4,"#
        + #""accepted":3,"error":null,"unfinished":null,"goAway":{"lastStream":3,"at":"2012-06-01T00:00:00.000Z"},"#
        + #""resend":{"failed":[],"discarded":[],"resent":["n2"],"lost":["n3","n4"],"duplicated":["n2"],"#
        + #""duplicatedCauses":["unanswered"],"awaited":true,"#
        + #""unanswered":["n2","n3","n4"],"aboveLastStream":["n3","n4"],"upToLastStream":["n2"],"accepted":["n2"]}}"#
    )
    #expect(
      ConnectionText.lines(requests, JSONValue.null, .plain) == [
        "c5  closed  http2  provider tokens (production)  4 received, 3 accepted",
        "  GOAWAY      last stream 3",
        "  unanswered  n2 n3 n4       (no answer came)",
        "  above       n3 n4          (of these, above the last stream: not processed, to be sent again)",
        "  up to it    n2             (of these, not above it: no telling for the provider whether they were processed)",
        "  accepted    n2             (accepted all the same)",
        "  resent      n2             (sent again since)",
        "  awaited     n3 n4          (not sent again yet)",
        "  duplicated  n2             (accepted, and sent again: delivered twice; unanswered)",
      ]
    )
    let devices = try json(
      #"{"devices":[{"name":"bob","online":false,"apps":[{"topic":"com.a","environment":"production","#
        + #""token":"bb","installed":true,"badge":2,"stored":"n5"}]},{"name":"eve","online":true,"apps":[]}]}"#
    )
    #expect(
      DeviceTable.lines(devices, style: .plain) == [
        "bob  offline  com.a    production  installed  bb  badge 2, stored n5", "eve  online   no apps",
      ]
    )
  }

  @Test(arguments: [("5s", 5000), ("200ms", 200), ("2", 2000), ("0.5", 500), ("1m30s", 90_000), ("0", 0)])
  func `a time-out is a number of seconds or has a unit`(text: String, milliseconds: Int64) {
    #expect(DurationArgument(argument: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: ["", "-1", "5 parsecs", "nan", "inf", "1e300", "-5s"])
  func `a text that is no duration is refused`(text: String) {
    #expect(DurationArgument(argument: text) == nil)
  }

  @Test func `JSON for people is short where it can be`() throws {
    let value = try json(#"{"a":{"b":[1,2]},"c":"\#(String(repeating: "x", count: 100))"}"#)
    #expect(PrettyJSON.lines(value).count == 4)
    #expect(PrettyJSON.lines(value)[1] == #"  "a": {"b":[1,2]},"#)
  }
}
