import APNSimCore
import APNSimWire

/// A notification in one line, as `watch` and `wait` show it:
///
///     12:00:00.123  n57  c3  com.example.app  bob  delivered  "Hello"  badge 3
enum NotificationSummary {
  /// - Parameter notification: of the API or of a journal line.
  static func text(_ notification: JSONValue, _ style: Style) -> String {
    let outcome = notification.text("outcome")
    var parts = [style.paint(clock(notification.text("time")), .dim)]
    parts += [notification.text("id"), notification.text("connection"), notification.text("topic")]
    parts.append(receiver(notification))
    var verdict = outcome
    if notification.text("interface") == "http2" {
      verdict += answer(notification, outcome)
    } else if outcome == "rejected", let status = notification.member("status")?.intValue, status > 0 {
      let name = UInt8(exactly: status).map { " (\(StatusCode(rawValue: $0).name))" } ?? ""
      verdict += " with \(status)\(name)"
    }
    verdict += script(notification)
    parts.append(style.paint(verdict, colour(outcome)))
    if let identifier = notification.member("identifier")?.stringValue {
      parts.append(style.paint("#\(TerminalText.visible(identifier))", .dim))
    }
    parts += content(payload(notification))
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The rule or the magic token that had a part in it: a journal line names it, the API's object explains it.
  private static func script(_ notification: JSONValue) -> String {
    // Where a check failed, the service judged by itself.
    let isBeside = notification.member("check") != nil
    if let rule = notification.member("rule")?.intValue {
      return isBeside ? ", rule \(rule) fired" : ", by rule \(rule)"
    }
    if notification.member("magic") != nil { return ", by its magic token" }
    let checks = notification.member("explain")?.arrayValue ?? []
    guard let check = checks.first(where: { ["rule", "magicToken"].contains($0.text("check")) }) else {
      return ""
    }
    guard check.text("detail").hasPrefix("rule ") else { return ", by its magic token" }
    return check.member("ok")?.boolValue == true ? ", a rule fired" : ", by a rule"
  }

  /// The answer to a request, where its outcome does not say it.
  private static func answer(_ notification: JSONValue, _ outcome: String) -> String {
    guard let status = notification.member("status")?.intValue else { return ", no answer" }
    guard outcome == "rejected" || status >= 300 else { return "" }
    let reason = notification.text("reason")
    return " with \(status)\(reason.isEmpty ? "" : " \(TerminalText.visible(reason))")"
  }

  /// The time of day.
  static func clock(_ time: String) -> String {
    guard time.count >= 20, let mark = time.firstIndex(of: "T") else { return time }
    let rest = time[time.index(after: mark)...]
    return String(rest.hasSuffix("Z") ? rest.dropLast() : rest)
  }

  /// Picks green for good outcomes, yellow for those that reach nobody, red for errors.
  static func colour(_ outcome: String) -> Style.Colour {
    switch outcome {
    case "delivered": .green
    case "rejected", "discarded": .red
    case "stored": .cyan
    default: .yellow
    }
  }

  private static func receiver(_ notification: JSONValue) -> String {
    let device = notification.text("device")
    let token = token(notification)
    guard token.utf8.allSatisfy({ Hex.value(of: $0) != nil }) else {
      return TerminalText.line(token, limit: 40)
    }
    // A device made on first sight is named for its token.
    return device.isEmpty || token.hasPrefix(device) || device.hasPrefix(token.prefix(16))
      ? (token.isEmpty ? device : token.prefix(12) + "…") : device
  }

  /// The device token, or what a path has in its place; read from the request if the line has none.
  private static func token(_ notification: JSONValue) -> String {
    let token = notification.text("token")
    guard token.isEmpty, notification.text("interface") == "http2",
      let evidence = Base64.decode(notification.text("raw"))
    else { return token }
    return evidence.withUnsafeBytes { RequestEvidence($0)?.textualToken ?? "" }
  }

  /// The payload; decoded from the frame or the request if the line has no other.
  private static func payload(_ notification: JSONValue) -> JSONValue? {
    if let payload = notification.member("payload") { return payload }
    guard let text = notification.member("raw")?.stringValue, let frame = Base64.decode(text) else {
      return nil
    }
    return frame.withUnsafeBytes { buffer in
      if notification.text("interface") == "http2" {
        return RequestEvidence(buffer).flatMap { try? JSONValue.parse($0.body) }
      }
      return FrameDecoder.next(in: buffer, from: 0, mode: .reading).flatMap {
        try? JSONValue.parse(buffer[$0.payload])
      }
    }
  }

  private static func content(_ payload: JSONValue?) -> [String] {
    guard let aps = payload?.member("aps") else { return [] }
    var parts: [String] = []
    let alert = aps.member("alert")
    if let words = alert?.stringValue ?? alert?.member("body")?.stringValue
      ?? alert?.member("loc-key")?.stringValue
    {
      parts.append("\"\(TerminalText.line(words, limit: 60))\"")
    }
    if let badge = aps.member("badge"), badge != .null { parts.append("badge \(badge.plain)") }
    if let sound = aps.member("sound")?.stringValue {
      parts.append("sound \(TerminalText.line(sound, limit: 24))")
    }
    return parts
  }
}
