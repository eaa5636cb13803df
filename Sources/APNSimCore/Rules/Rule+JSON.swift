package import APNSimWire

extension Rule: JSONObject {
  package static let shape = JSONShape<Self>(
    "Rule",
    "The rule as in a scenario file; it reads back as the same rule."
  ) {
    $0.optional("name") { $0.name.isEmpty ? nil : $0.name }
    $0.member("when") { $0.when }
    $0.optional("reply") { $0.action.written }
    $0.optional(
      "fault",
      "Its name, or an object with its name as the only key and its settings as the value."
    ) {
      if case .fault(let fault) = $0.action { fault } else { nil as Fault? }
    }
    $0.optional("proceed", "Nothing unusual happens.", .constant(true)) { $0.action == .proceed ? true : nil }
    $0.exactlyOne(of: ["reply", "fault", "proceed"])
    $0.optional("times", "It fires at most so often.", .least(0)) { $0.times }
    $0.optional("after", "It lets so many matches pass first.", .least(1)) { $0.after > 0 ? $0.after : nil }
    $0.optional("every", "Then it fires at the first of every so many.") { $0.every != 1 ? $0.every : nil }
    $0.optional("state", "The state in which it holds, and the one that follows it.") { $0.state }
  }
}

extension Rule.StateChange: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("requires") { $0.requires }
    $0.optional("becomes") { $0.becomes }
  }
}

extension Rule.Action {
  fileprivate var written: WrittenReply? {
    switch self {
    case .reply(let reply): WrittenReply(reply: reply)
    case .answer(let answer): WrittenReply(answer: answer)
    case .fault, .proceed: nil
    }
  }
}

/// A reply of the one interface or the other. What is usual is not written.
private struct WrittenReply: JSONObject {
  var reply: Reply?
  var answer: ScriptedAnswer?

  static let shape = JSONShape<Self>(
    "Reply",
    """
    An error response, by a status from 0 to 255 alone; with a reason, a body or headers, or a status from 256 on, an answer \
    of HTTP/2.
    """
  ) {
    $0.optional("status", "Absent where the reason says it.", .most(599)) { $0.status }
    $0.optional("reason", "The word in the body.", .example("Unregistered")) { $0.answer?.reason?.name() }
    $0.optional("timestamp", "Of status 410: a time, or a duration before the answer.", .example("2h ago")) {
      $0.answer?.timestamp?.written
    }
    $0.optional("body") { $0.answer?.body }
    $0.optional("headers", "By name.") {
      $0.answer.flatMap { $0.headers.isEmpty ? nil : Headers(all: $0.headers) }
    }
    $0.optional("identifier", "right, wrong, zero, or eight hex digits. Absent: right.") {
      $0.reply?.identifier.written
    }
    $0.optional("afterFrames", "It is sent once this many more frames have been received.", .least(1)) {
      $0.reply.flatMap { $0.afterFrames > 0 ? $0.afterFrames : nil }
    }
    $0.optional("delay", "It leaves this much later.", .example("300ms")) {
      $0.delay > .zero ? $0.delay.description : nil
    }
    $0.optional(
      "truncateTo",
      "How many of the six bytes are sent.",
      .least(0),
      .most(ErrorResponse.byteCount)
    ) {
      $0.reply.flatMap { $0.packet.byteCount != ErrorResponse.byteCount ? $0.packet.byteCount : nil }
    }
    $0.optional("split", "Sent in two TLS records.", .constant(true)) {
      $0.reply.flatMap { $0.packet.cut != .none ? true : nil }
    }
    $0.optional("reset", "A reset follows it.", .constant(true)) { $0.reply?.resets == true ? true : nil }
    $0.optional("lost", "A reset overtakes it.", .constant(true)) { $0.reply?.isLost == true ? true : nil }
    $0.some(of: ["status", "reason"])
  }

  private var status: UInt16? {
    guard let answer else { return reply.map { UInt16($0.status.rawValue) } }
    return answer.status != answer.reason?.status ? answer.status : nil
  }

  private var delay: TimeSpan { reply?.delay ?? answer?.delay ?? .zero }

  /// Headers as an object.
  private struct Headers: JSONDescribed {
    let all: [AnswerHeader]

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      for header in all {
        writer.key(header.name)
        writer.string(header.value)
      }
      writer.endObject()
    }

    static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
      .object([.init("type", "object"), .init(key: "additionalProperties", value: .type("string"))])
    }
  }
}

extension Reply.Identifier {
  /// Nil for the right one.
  fileprivate var written: String? {
    switch self {
    case .right: nil
    case .wrong: "wrong"
    case .zero: "zero"
    case .exactly(let chosen): chosen.hex
    }
  }
}

extension ScriptedAnswer.Moment {
  fileprivate var written: String {
    switch self {
    case .at(let moment): moment.description
    case .ago(let span): "\(span) ago"
    }
  }
}
