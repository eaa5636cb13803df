import APNSimWire

/// A connection as people read it.
enum ConnectionText {
  /// `c3  open  com.example.app (production)  12 received, 11 accepted  status 8 for 0000002a`
  static func row(_ connection: JSONValue) -> [String] {
    let provider = connection.member("provider") ?? connection
    let topic = provider.text("topic").isEmpty ? ProviderText.withoutCertificate : provider.text("topic")
    let environment = provider.text("environment")
    return [
      connection.text("id"), connection.member("open")?.boolValue == true ? "open" : "closed",
      connection.text("listener"), environment.isEmpty ? topic : "\(topic) (\(environment))",
      "\(connection.text("received")) received, \(connection.text("accepted")) accepted", state(connection),
    ]
  }

  /// `2012-06-01T00:00:00.000Z  gateway  127.0.0.1:40123  untrusted certificate  CN=…`
  static func refusal(_ refusal: JSONValue) -> [String] {
    [
      refusal.text("at"), refusal.text("listener"), refusal.text("peer"),
      refusal.text("reason"), refusal.text("subject"),
    ]
  }

  /// All that is known of one.
  /// - Parameter story: its story, of which those steps are shown that rules and magic tokens decided.
  static func lines(_ connection: JSONValue, _ story: JSONValue, _ style: Style) -> [String] {
    var lines = Table.lines([row(connection)])
    let resend = connection.member("resend")
    let isAwaited = resend?.member("awaited")?.boolValue == true
    let isHTTP2 = connection.text("listener") == "http2"
    let lastStream = connection["goAway.lastStream"]?.plain
    var rows: [[String]] = []
    if let lastStream { rows.append(["GOAWAY", "last stream \(lastStream)", ""]) }
    for (key, meaning) in [
      ("failed", named(connection)),
      ("discarded", "sent after it, unread"),
      ("unanswered", "no answer came"),
      ("aboveLastStream", "of these, above the last stream: not processed, to be sent again"),
      ("upToLastStream", "of these, not above it: no telling for the provider whether they were processed"),
      ("accepted", "accepted all the same"),
      ("resent", "sent again since"), ("lost", isAwaited ? "not sent again yet" : "not sent again"),
      (
        "duplicated",
        isHTTP2
          ? "accepted, and sent again: delivered twice\(causes(of: resend))"
          : "accepted before it, and sent again: delivered twice"
      ),
    ] {
      let names = (resend?.member(key)?.arrayValue ?? []).map(\.plain)
      guard !names.isEmpty else { continue }
      let shown = names.prefix(mostNames).joined(separator: " ")
      let more = names.count > mostNames ? " … \(names.count) in all" : ""
      let label = key != "lost" ? labels[key] ?? key : isAwaited ? "awaited" : style.paint(key, .red)
      rows.append([label, shown + more, style.paint("(\(meaning))", .dim)])
    }
    if let count = resend?.text("notFollowed"), !count.isEmpty, count != "0" {
      rows.append([
        "not followed", count, style.paint("(too many to tell whether they were sent again)", .dim),
      ])
    }
    if let frame = connection.member("unfinished"), frame != .null {
      let isOpen = connection.member("open")?.boolValue == true
      rows.append([
        "unfinished", frame.text("text"),
        style.paint(isOpen ? "(the rest has not come)" : "(it ended within this frame)", .dim),
      ])
    }
    for one in connection["malformed.latest"]?.arrayValue ?? [] {
      let header = one.text("header")
      rows.append([
        "malformed", header.isEmpty ? "stream \(one.text("stream"))" : header,
        style.paint("(\(one.text("reason")))", .dim),
      ])
    }
    lines += Table.lines(rows, indent: "  ")
    lines += Table.lines(scripted(story, style), indent: "  ")
    return lines
  }

  /// `scripted  n2  410 Unregistered, stream 3  (by rule "gone")`, of what the service said.
  private static func scripted(_ story: JSONValue, _ style: Style) -> [[String]] {
    let steps = (story.member("steps")?.arrayValue ?? []).filter { step in
      step.text("by") == "service" && (!step.text("script").isEmpty || step.text("kind") == "fault")
    }
    let rows = steps.prefix(mostNames).map { step in
      [
        "scripted", step["notifications.0"]?.plain ?? "", TerminalText.visible(step.text("text")),
        style.paint("(\(TerminalText.visible(step.text("remark"))))", .dim),
      ]
    }
    return steps.count > mostNames ? rows + [["", "…", "\(steps.count) in all", ""]] : rows
  }

  private static let mostNames = 20

  /// Words for people where the key is not one.
  private static let labels = ["aboveLastStream": "above", "upToLastStream": "up to it"]

  /// The causes for which accepted requests were sent again, each once.
  private static func causes(of resend: JSONValue?) -> String {
    var causes: [String] = []
    for cause in (resend?.member("duplicatedCauses")?.arrayValue ?? []).map(\.plain)
    where !causes.contains(cause) {
      causes.append(cause)
    }
    return causes.isEmpty ? "" : "; " + causes.joined(separator: ", ")
  }

  /// The error response's word on the notification that failed. A fault or a quirk may have it name another one, or
  /// none.
  private static func named(_ connection: JSONValue) -> String {
    guard let error = connection.member("error"), error != .null else { return "there was no error response" }
    let identifier = error.text("identifier")
    let failed = connection.member("resend")?.member("failed")?.arrayValue ?? []
    if failed.contains(where: { $0.plain == identifier }) { return "the error response names it" }
    return identifier == "00000000"
      ? "the error response names none: its identifier is 0"
      : "the error response names \(identifier) instead"
  }

  /// The error response, or the frame of which the rest is awaited.
  private static func state(_ connection: JSONValue) -> String {
    let error = error(connection)
    if let count = connection["malformed.count"]?.plain { return "\(count) malformed" }
    guard error.isEmpty, let frame = connection.member("unfinished"), frame != .null else { return error }
    return "within a frame: \(frame.text("text"))"
  }

  private static func error(_ connection: JSONValue) -> String {
    guard let error = connection.member("error"), error != .null else { return "" }
    let identifier = error.text("identifier")
    return "status \(error.text("status"))" + (identifier.isEmpty ? "" : " for \(identifier)")
  }
}
