import APNSimCore
import APNSimWire

/// Reads `reply`: the answer of a rule, as the one interface has it or the other.
///
/// A status from 0 to 255 by itself is the binary interface's; with a reason, a body or headers, or from 256 on, it is
/// HTTP/2's. In a rule that asks for `interface: http2`, one from 200 on is HTTP/2's too.
enum ReplyReader {
  /// The options of an error response, and those of an answer to a request; a delay is of both.
  private static let binaryOptions = binaryRows.map(\.key)
  private static let requestOptions = AnswerReader.rows.map(\.key)

  /// The status or the reason alone, or all of it.
  static let kind = ValueKind.either([
    .named(
      "replyWord",
      "A status, by its number or Apple's name, or a reason of Apple's.",
      .either([.status(upTo: 599), .choice(FieldKind.reason.names)])
    ),
    .mapping(noun),
  ])
  private static let noun = Noun(
    "reply",
    "a reply",
    "An answer: a status from 0 to 255 by itself is the binary interface's; with a reason, a body or headers, or from 256 on, "
      + "it is HTTP/2's.",
    rows: [
      Noun.Row("status", .status(upTo: 599), "The status; that of the reason where none is given.")
    ] + AnswerReader.rows + [delayRow] + binaryRows,
    terms: [.some(["status", "reason"])]
      + [
        .never([.any(binaryOptions), .any(requestOptions)]),
        .never([.any(binaryOptions), .value("status", .integer(256...599))]),
        .never([
          .any(requestOptions), .given("status"), .noValue("status", .integer(ScriptedAnswer.statuses)),
        ]),
        .never([.given("timestamp"), .given("status"), .noValue("status", .integer(410...410))]),
        .never([
          .given("timestamp"), .absent("status"), .noValue("reason", .choice(AnswerReader.namesOfGone)),
        ]),
      ]
  )

  static let shutdownNoun = Noun(
    "shutdown",
    "a shutdown",
    "The options of status 10, which names the last notification that was accepted.",
    rows: [
      binaryRows[0], binaryRows[1], delayRow, binaryRows[2], binaryRows[3], binaryRows[4], binaryRows[5],
    ]
  )
  private static let delayRow = Noun.Row("delay", .duration, "It leaves this much later.")
  private static let binaryRows = [
    Noun.Row(
      "identifier",
      .either([.choice(["right", "wrong", "zero"]), .form(.identifierDigits)]),
      "The identifier in the error response: right, wrong, zero, or 8 hex digits."
    ),
    Noun.Row("afterFrames", .count, "It leaves when exactly so many more notifications are in."),
    Noun.Row("truncateTo", .integer(0...ErrorResponse.byteCount), "It has only so many of its six bytes."),
    Noun.Row("split", .flag, "It comes in two TLS records."),
    Noun.Row("reset", .flag, "The connection is reset after it."),
    Noun.Row("lost", .flag, "The reset overtakes it: it never arrives."),
  ]

  /// `{ status: 8, afterFrames: 20 }`, `{ reason: Unregistered, timestamp: 2h ago }`, or the status or the reason alone.
  /// - Parameter isOfRequests: the rule asks for `interface: http2`.
  static func read(_ value: Value, isOfRequests: Bool = false) -> Rule.Action? {
    let lowest = isOfRequests ? 200 : 256
    if let text = value.scalar {
      if StatusName.status(text) == nil, let reason = Reason(name: text) {
        return .answer(ScriptedAnswer(reason: reason))
      }
      if let number = Int(text), number >= lowest {
        return AnswerReader.status(value).map { .answer(ScriptedAnswer(status: $0)) }
      }
      return value.status(orReason: FieldKind.reason.names).map { .reply(Reply(status: $0)) }
    }
    guard let fields = Fields(value, of: noun) else { return nil }
    let number = fields["status"]?.scalar.flatMap { Int($0) } ?? 0
    guard number >= lowest || requestOptions.contains(where: { fields[$0] != nil }) else {
      guard let status = fields.require("status")?.status() else { return nil }
      return .reply(read(fields, status))
    }
    for key in binaryOptions {
      fields[key]?.report(
        "\"\(key)\" belongs to the binary interface's answers, which have a status from 0 to 255 alone"
      )
    }
    return AnswerReader.read(fields).map { .answer($0) }
  }

  /// `fault: shutdown`, or with options of a reply: status 10, which names the last accepted notification.
  static func shutdown(_ value: Value?) -> Reply? {
    guard let value else { return Reply(status: .shutdown) }
    return Fields(value, of: shutdownNoun).map { read($0, .shutdown) }
  }

  private static func read(_ fields: Fields, _ status: StatusCode) -> Reply {
    var reply = Reply(status: status)
    if let value = fields["identifier"] { reply.identifier = identifier(value) ?? .right }
    reply.afterFrames = fields.integer("afterFrames") ?? 0
    reply.delay = fields["delay"].flatMap { $0.timeSpan("the delay") } ?? .zero
    reply.packet.byteCount = fields.integer("truncateTo") ?? ErrorResponse.byteCount
    reply.packet.cut = fields["split"].flatMap { $0.flag("split") } ?? false ? .afterFirstByte : .none
    reply.resets = fields["reset"].flatMap { $0.flag("reset") } ?? false
    if let lost = fields["lost"], lost.flag("lost") == true {
      // The packet is lost because the reset overtakes it.
      (reply.isLost, reply.resets) = (true, true)
    }
    return reply
  }

  private static func identifier(_ value: Value) -> Reply.Identifier? {
    switch value.scalar {
    case "right": return .right
    case "wrong": return .wrong
    case "zero": return .zero
    case let text?:
      if let exact = NotificationIdentifier(hex: text) { return .exactly(exact) }
    case nil: break
    }
    value.mismatch(
      "right, wrong, zero or 8 hex digits for the identifier",
      suggestion: value.scalar.flatMap { NearestName.find($0, among: ["right", "wrong", "zero"]) }
    )
    return nil
  }
}
