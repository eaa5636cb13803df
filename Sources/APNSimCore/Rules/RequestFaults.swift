package import APNSimWire

/// Faults of one request, and of its connection from then on.
enum RequestFaults {
  /// The rows, in the order in which errors and help list them.
  static let kinds = [
    Fault.goaway.kind, Fault.resetStream.kind, Fault.unanswered.kind, Fault.slowAnswer.kind,
    Fault.maxStreams.kind, Fault.stickyServerError.kind,
  ]
}

extension Fault {
  /// GOAWAY, and what becomes of the connection after it.
  package static let goaway = FaultOf(
    FaultTitle("goaway", tag: 6, on: [.http2]),
    .lastStream("lastStream", "the last stream"),
    .code("code", "the code of a GOAWAY", standard: .noError),
    .reasonIfGiven("reason", "the reason of a GOAWAY"),
    .textIfGiven("debug", "the debug data"),
    .choice("then", "what becomes of the connection", standard: GoAway.Then.close),
    .flag("twice", "twice", standard: false),
    words: FaultWords(
      example: "{ lastStream: below, reason: Shutdown, then: open }",
      meaning: "GOAWAY at this request, and what becomes of the connection after it.",
      details:
        ". `lastStream` is `exact` (the request's own, after its answer), `below` (the one before; the request is not "
        + "answered), `zero` or a number; what is open above it, or comes above it or above this request, is unanswered. "
        + "`code` is a name of RFC 9113 or a number (NO_ERROR), the debug data `{\"reason\":…}` of a `reason`, or the text "
        + "`debug`; `twice: true` sends the frame twice. `then` the connection is `close`d once what it had taken is answered, "
        + "stays `open` and hears nothing, or has every later stream `refuse`d",
      page: FaultSentence(
        .request,
        "GOAWAY with requests in flight",
        """
        meets GOAWAY \(choice: "lastStream", "below", as: [
          "below": "below it, so that it was not processed", "exact": "after its answer",
        ]); then the connection \(choice: "then", "close", as: ["close": "closes", "open": "stays open"])
        """,
        isCommon: true
      ),
      advice:
        "It should open a new connection at once, take the answers that still come, and send again what is above the "
        + "last stream."
    ),
    mistake: { _, _, reason, debug, _, _ in
      // A frame has 16,384 bytes at most (RFC 9113 section 4.2), of which GOAWAY needs eight.
      if let count = debug?.utf8.count, count > 16_376 {
        return FaultMistake(
          key: "debug",
          message: "expected debug data that fits into a frame, at most 16376 bytes, found \(count)"
        )
      }
      guard reason != nil, debug != nil else { return nil }
      return FaultMistake(key: "debug", message: "a GOAWAY has \"reason\" or \"debug\", not both")
    },
    sees: { [.goAway(GoAway(lastStream: $0, code: $1, reason: $2, debug: $3, then: $4, isTwice: $5))] },
    effect: {
      let goAway = GoAway(lastStream: $0, code: $1, reason: $2, debug: $3, then: $4, isTwice: $5)
      return .answer(AnswerEffect(goAway: goAway))
    }
  )

  package static func goaway(_ frame: GoAway) -> Fault {
    goaway(frame.lastStream, frame.code, frame.reason, frame.debug, frame.then, frame.isTwice)
  }

  /// RST_STREAM instead of an answer; nothing reaches a device.
  package static let resetStream = FaultOf(
    FaultTitle("resetStream", tag: 7, on: [.http2]),
    .code("code", "the code of a reset", standard: .internalError),
    words: FaultWords(
      example: "{ code: REFUSED_STREAM }",
      meaning: "RST_STREAM instead of an answer; nothing is delivered.",
      details: "; the code is INTERNAL_ERROR where none is given",
      page: FaultSentence(
        .request,
        "RST_STREAM",
        """
        gets RST_STREAM \(choice: "code", "REFUSED_STREAM", of: [
          "REFUSED_STREAM", "INTERNAL_ERROR", "CANCEL", "ENHANCE_YOUR_CALM",
        ]) instead of an answer
        """
      ),
      advice: "It should send the request again: with REFUSED_STREAM it was not looked at."
    ),
    sees: { code in ["RST_STREAM \(code.name) on its stream, and no answer"] },
    effect: { code in .answer(AnswerEffect(refuses: true, isSilent: true, reset: code)) }
  )

  /// Its stream stays open for good. Delivered or not, the provider cannot tell (parse-node-apn #24, pushy #816).
  package static let unanswered = FaultOf(
    FaultTitle("unanswered", tag: 8, on: [.http2]),
    .flag("delivered", "delivered", standard: true),
    words: FaultWords(
      example: "{ delivered: false }",
      meaning: "The stream stays open for good.",
      details: ", with the notification delivered or not",
      page: FaultSentence(
        .request,
        "Delivered but never answered",
        "is \(choice: "delivered", "true", as: ["true": "delivered", "false": "not delivered"]) and never answered",
        isCommon: true
      ),
      advice:
        "It should give up on the stream after a time of its own, and send again with the same apns-collapse-id."
    ),
    sees: { isDelivered in
      ["nothing: its stream stays open; it \(isDelivered ? "is delivered all the same" : "reaches nobody")"]
    },
    effect: { isDelivered in .answer(AnswerEffect(refuses: !isDelivered, isSilent: true)) }
  )

  /// The parts of the answer come this much later, the body after the headers (sideshow #17, #20 and #24).
  package static let slowAnswer = FaultOf(
    FaultTitle("slowAnswer", tag: 9, on: [.http2]),
    .span("headers", "the time of the headers", standard: .zero),
    .span("body", "the time of the body", standard: .zero),
    words: FaultWords(
      example: "{ headers: 1s, body: 2s }",
      meaning: "The headers come this much later, and this much after them the body.",
      details: ", or the empty end of one",
      page: FaultSentence(
        .request,
        "Slow answer",
        "is answered late: headers after \(choice: "headers", "1s"), the body \(choice: "body", "1s") later"
      ),
      advice: FaultAdvice.wait
    ),
    mistake: { headers, body in
      guard headers <= .zero, body <= .zero else { return nil }
      return FaultMistake(
        key: "",
        message:
          "a slow answer takes its time: expected \"headers\" or \"body\" of more than 0, found neither"
      )
    },
    sees: { ["the headers of its answer after \($0.words), the body \($1.words) later"] },
    effect: { headers, body in .answer(AnswerEffect(delay: headers, bodyDelay: body)) }
  )

  /// SETTINGS with another number of streams, ahead of the answer (apnotic #29, pushy #356).
  package static let maxStreams = FaultOf(
    FaultTitle("maxStreams", tag: 10, on: [.http2]),
    .count(in: 0...Int(Int32.max)),
    words: FaultWords(
      example: "1",
      meaning: "SETTINGS with this many streams at once, ahead of the answer.",
      page: FaultSentence(
        .request,
        "Fewer streams",
        "brings SETTINGS with \(choice: "", "1", of: ["1", "2", "10", "100"]) streams at once"
      ),
      advice: "It should keep to the number of streams, and let the others wait."
    ),
    sees: { count in
      [
        "SETTINGS MAX_CONCURRENT_STREAMS \(count), ahead of its answer", .answer(ScriptedAnswer()),
      ]
    },
    effect: { count in .answer(AnswerEffect(maxStreams: count)) }
  )

  /// 500 InternalServerError until the provider reconnects (pushy #408 and #458, node-apn #463).
  package static let stickyServerError = Fault(
    FaultTitle("stickyServerError", tag: 11, on: [.http2]),
    words: FaultWords(
      meaning: "This request and all that follow are 500, until the provider reconnects.",
      details: "; the reason is InternalServerError",
      page: FaultSentence(
        .request,
        "500 until it reconnects",
        "and all that follow on its connection are answered 500 InternalServerError"
      ),
      advice: "It should connect again: this connection does not recover."
    ),
    sees: [
      .answer(ScriptedAnswer(reason: .internalServerError)),
      "the same for every request of the connection from then on",
    ],
    effect: .answer(AnswerEffect(refuses: true, breaksConnection: true))
  )
}
