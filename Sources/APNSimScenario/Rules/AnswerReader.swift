import APNSimCore
import APNSimWire

/// Reads an answer to a request: `{ status: 503, reason: ServiceUnavailable, delay: 2s }`.
enum AnswerReader {
  /// The part of a reply that is HTTP/2's alone.
  static let rows = [
    Noun.Row(
      "reason",
      .choice(FieldKind.reason.names),
      "The reason in the answer, as Apple sends or documents it."
    ),
    Noun.Row("timestamp", .form(.pastMoment), "When the token ended, in an answer of status 410."),
    Noun.Row("body", .json, "What stands in place of the reason's body; a mapping is written as JSON."),
    Noun.Row(
      "headers",
      .names(
        form: .headerName,
        .either([
          .form(
            TextForm(
              "headerValue",
              "a header's value of up to \(longest) visible ASCII characters",
              pattern: "(?=[\\s\\S]{0,\(longest)}$)[ -~]*",
              numbers: .any
            )
          ), .flag, .nothing,
        ]),
        most: mostHeaders
      ),
      "Further headers, by their names in lower case."
    ),
  ]

  /// The reasons of answers that have a timestamp.
  static let namesOfGone = FieldKind.reason.names.filter { Reason(name: $0)?.status == 410 }

  /// - Returns: nil after reporting what is wrong.
  static func read(_ fields: Fields) -> ScriptedAnswer? {
    var answer = ScriptedAnswer()
    if let value = fields["reason"] {
      guard let name = FieldKind.reason.plain(value, "the reason")?.stringValue,
        let reason = Reason(name: name)
      else { return nil }
      answer = ScriptedAnswer(reason: reason)
    }
    if let value = fields["status"] {
      guard let status = status(value) else { return nil }
      answer.status = status
    } else if answer.reason == nil {
      fields.value.report("an answer without a \"reason\" needs the key \"status\"")
      return nil
    }
    if let value = fields["timestamp"] {
      answer.timestamp = moment(value)
      if answer.status != 410 { value.report("only a status of 410 has a timestamp, found \(answer.status)") }
    }
    if let value = fields["body"] { answer.body = value.scalar ?? value.json?.description }
    if let value = fields["headers"] { answer.headers = headers(value) }
    answer.delay = fields["delay"].flatMap { $0.timeSpan("the delay") } ?? .zero
    return answer
  }

  /// A status that an answer can have.
  static func status(_ value: Value) -> UInt16? {
    value.integer("the status", ScriptedAnswer.statuses).map { UInt16(clamping: $0) }
  }

  /// `2012-06-01T00:00:00Z`, `2h ago`.
  private static func moment(_ value: Value) -> ScriptedAnswer.Moment? {
    if let text = value.scalar, text.hasSuffix(" ago") {
      if let span = TimeSpan(String(text.dropLast(4))) { return .ago(span) }
    } else if let moment = value.scalar.flatMap({ Timestamp($0) }) {
      return .at(moment)
    }
    value.mismatch("a time such as 2012-06-01T00:00:00Z, or a duration such as 2h ago, for the timestamp")
    return nil
  }

  /// The most headers, and characters of a header, that a rule adds: more are no answer that a client would read.
  private static let mostHeaders = 100
  private static let longest = 8_000

  private static func headers(_ value: Value) -> [AnswerHeader] {
    let entries = value.entries("headers as a mapping, such as { retry-after: \"30\" }")
    if entries.count > mostHeaders {
      value.report("expected at most \(mostHeaders) headers, found \(entries.count)")
    }
    return entries.prefix(mostHeaders).compactMap { entry in
      guard isName(entry.name) else {
        entry.key.mismatch("the name of a header in lower case")
        return nil
      }
      guard let text = entry.value.scalar, text.utf8.count <= longest,
        text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else {
        entry.value.mismatch("a header's value of up to \(longest) visible ASCII characters")
        return nil
      }
      return AnswerHeader(name: entry.name, value: text)
    }
  }

  /// A token of RFC 9110 (5.6.2) without capital letters, as HTTP/2 has names.
  private static func isName(_ text: String) -> Bool {
    let others = Set("!#$%&'*+-.^_`|~".utf8)
    return !text.isEmpty && text.utf8.count <= 256
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || others.contains($0)
      }
  }
}
