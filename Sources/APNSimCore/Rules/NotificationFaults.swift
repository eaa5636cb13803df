package import APNSimWire

/// Faults of one notification, on both interfaces.
enum NotificationFaults {
  /// The rows, in the order in which errors and help list them.
  static let kinds = [
    Fault.close.kind, Fault.reset.kind, Fault.swallow.kind, Fault.stopReading.kind, shutdown,
    Fault.unavailable.kind, Fault.lateUnregistered.kind, Fault.stutter.kind,
  ]

  /// `shutdown` is spelled as a fault and is a reply of status 10, made by the reader of replies.
  private static let shutdown = FaultKind(
    FaultTitle("shutdown", tag: nil, on: [.gateway, .http2], at: .notification),
    .replyOptions,
    words: FaultWords(
      meaning: "Status 10, with the identifier that was accepted last.",
      details: "; takes the options of a reply: `{ shutdown: { delay: 1s } }`",
      page: FaultSentence(
        .frame,
        "Status 10, Shutdown",
        "meets a shutdown: status 10, and the identifier accepted last"
      ),
      advice:
        "It should connect again, and send everything after the identifier again, in order: the named one and those before it "
        + "were sent."
    ),
    mistake: { _ in FaultMistake(key: "", message: "shutdown is a reply, not a fault") },
    sees: { _ in [] },
    effect: { _ in .plan { _, _ in } }
  )

  fileprivate static let ofTriggers =
    "; at the notification that matched, or once this much of the connection has been read. `afterFrames` and "
    + "`afterRequests` count for each other; over HTTP/2 the answers leave before, and bytes are counted on the network only"

  /// ` once 40 bytes of it are read`.
  fileprivate static func words(_ trigger: Fault.Trigger) -> String {
    switch trigger {
    case .now: ""
    case .afterBytes(let count): " once \(Number.counted(count, "byte")) of it \(be(count)) read"
    case .afterFrames(let count): " once \(Number.counted(count, "frame")) of it \(be(count)) read"
    case .afterRequests(let count): " once \(Number.counted(count, "request")) of it \(be(count)) answered"
    }
  }

  private static func be(_ count: Int) -> String { count == 1 ? "is" : "are" }

  /// `for 30 s from the first, at most 3 requests in all`.
  fileprivate static func extent(_ parts: String?...) -> String {
    parts.compactMap { $0 }.joined(separator: ", at most ")
  }
}

extension Fault {
  /// The notification vanishes: it is accepted, reaches nobody, and nothing is said of it.
  package static let swallow = Fault(
    FaultTitle("swallow", tag: 0, on: [.gateway, .http2]),
    words: FaultWords(
      meaning: "The notification is accepted and reaches nobody.",
      page: FaultSentence(
        .notification,
        "Accepted, reaches nobody",
        "is accepted and reaches nobody",
        in: .delivery
      ),
      advice: "It cannot notice: nothing but the user tells that it is missing."
    ),
    sees: [
      .binary("nothing: it is accepted, and reaches nobody"), .answerOfRequest(ScriptedAnswer()),
      .http2("the notification reaches nobody"),
    ],
    effect: .swallow
  )

  package static let close = FaultOf(
    FaultTitle("close", tag: 1, on: [.gateway, .http2]),
    .trigger,
    words: FaultWords(
      example: "{ afterBytes: 40 }",
      meaning: "The connection is closed in order, without a packet.",
      details: NotificationFaults.ofTriggers,
      page: FaultSentence(
        .notification,
        "Closed at a notification",
        "ends its connection with FIN, and no error response",
        in: .connection
      ),
      FaultSentence(
        .connection,
        "Closed after so many bytes",
        "a close comes after \(choice: "afterBytes", "40", of: ["0", "40", "300", "4096"]) bytes"
      ),
      advice: FaultAdvice.connectAgain
    ),
    sees: { trigger in ["FIN\(NotificationFaults.words(trigger)), without a word before it"] },
    effect: { trigger in .end(.drain, trigger) }
  )

  package static let reset = FaultOf(
    FaultTitle("reset", tag: 2, on: [.gateway, .http2]),
    .trigger,
    words: FaultWords(
      example: "{ afterBytes: 40 }",
      meaning: "The connection is reset, without a packet.",
      details: NotificationFaults.ofTriggers,
      page: FaultSentence(
        .notification,
        "Reset at a notification",
        "ends its connection with a reset, and no error response",
        in: .connection
      ),
      FaultSentence(
        .connection,
        "Reset after so many bytes",
        "a reset comes after \(choice: "afterBytes", "40", of: ["0", "40", "300", "4096"]) bytes"
      ),
      advice: FaultAdvice.connectAgain
    ),
    sees: { trigger in ["RST\(NotificationFaults.words(trigger))"] },
    effect: { trigger in .end(.reset, trigger) }
  )

  package static let stopReading = FaultOf(
    FaultTitle("stopReading", tag: 3, on: [.gateway, .http2]),
    .trigger,
    words: FaultWords(
      example: "{ afterBytes: 40 }",
      meaning: "Nothing more of the connection is read: the provider's writes fill the pipe.",
      details: NotificationFaults.ofTriggers,
      page: FaultSentence(
        .notification,
        "Not read any further",
        "is the last that is read of its connection",
        in: .connection
      ),
      advice: FaultAdvice.giveUp
    ),
    sees: { trigger in
      ["nothing is read any more\(NotificationFaults.words(trigger)): writes fill the pipe, and then block"]
    },
    effect: { trigger in .end(.stopReading, trigger) }
  )

  /// The service is unavailable for a while from the first match on, then recovers (sygnal #304).
  package static let unavailable = FaultOf(
    FaultTitle("unavailable", tag: 4, on: [.gateway, .http2], times: 1),
    .spanIfGiven("for", "the time of an outage"),
    .countIfGiven("requests", "the requests of an outage", in: 1...Int(Int32.max)),
    .countIfGiven("status", "the status of an outage", in: 400...599),
    .reasonIfGiven("reason", "the reason of an outage"),
    words: FaultWords(
      example: "{ requests: 3 }",
      meaning:
        "From the first match on, requests are answered 503 ServiceUnavailable for a while; then it is over.",
      details:
        ". `for` is how long, `requests` how many of them; `status` and `reason` are what is answered instead: "
        + "`{ unavailable: { for: 1m, status: 429 } }`. With `times` it comes again",
      page: FaultSentence(
        .request,
        "503 for 30 s, then fine",
        "is answered 503 ServiceUnavailable, and all that follow for \(choice: "for", "30s")",
        isCommon: true
      ),
      advice: FaultAdvice.sendLater
    ),
    mistake: { span, requests, _, _ in
      guard span == nil, requests == nil else { return nil }
      return FaultMistake(
        key: "",
        message: "an outage ends: expected \"for\" or \"requests\", found neither"
      )
    },
    sees: { span, requests, status, reason in
      let extent = NotificationFaults.extent(
        span.map { "for \($0.words) from the first" },
        requests.map { "\(Number.counted($0, "request")) in all" }
      )
      let outage = Outage(span: span, requests: requests, status: status, reason: reason)
      return [.answer(outage.answer), .http2("the same \(extent); then all is well")]
    },
    effect: { span, requests, status, reason in
      .outage(Outage(span: span, requests: requests, status: status, reason: reason))
    }
  )

  package static func unavailable(_ outage: Outage) -> Fault {
    unavailable(outage.span, outage.requests, outage.status, outage.reason)
  }

  /// A token without its app is answered 200 for a while before it is 410 (apnotic #66, sideshow #77 and #159).
  package static let lateUnregistered = FaultOf(
    FaultTitle("lateUnregistered", tag: 5, on: [.http2]),
    .countIfGiven("successes", "the successes of a late 410", in: 1...Int(Int32.max)),
    .spanIfGiven("for", "the time of a late 410"),
    words: FaultWords(
      example: "{ successes: 2 }",
      meaning: "A token whose app is gone is answered 200 for a while before it is 410.",
      details: ", for the time `for` or for so many `successes`",
      page: FaultSentence(
        .token,
        "410 only later",
        "a token whose app is gone is answered 200 for \(choice: "for", "2h") before it is 410"
      ),
      advice: "It should stop sending to this token at the first 410, and take the 200s as they are."
    ),
    mistake: { successes, span in
      guard successes == nil, span == nil else { return nil }
      return FaultMistake(
        key: "",
        message: "a late 410 comes in the end: expected \"successes\" or \"for\", found neither"
      )
    },
    sees: { successes, span in
      let extent = NotificationFaults.extent(
        span.map { "for \($0.words)" },
        successes.map { Number.counted($0, "time") }
      )
      return [
        .answer(ScriptedAnswer()), .http2("the same \(extent), though the app is gone"),
        .answer(ScriptedAnswer(reason: .unregistered)),
      ]
    },
    effect: { successes, span in .late(Lag(successes: successes, span: span)) }
  )

  package static func lateUnregistered(_ lag: Lag) -> Fault { lateUnregistered(lag.successes, lag.span) }

  /// The next answer waits, and leaves as two TLS records, half of it in each.
  package static let stutter = FaultOf(
    FaultTitle("stutter", tag: 26, on: [.gateway, .http2], times: 1),
    .span(),
    words: FaultWords(
      example: "2s",
      meaning: "The next answer comes this much later, as two TLS records with half of it in each.",
      details:
        ". It happens once, or so many `times`. A frame that is accepted has no answer, and passes without it",
      page: FaultSentence(
        .notification,
        "Late, and in two halves",
        "is answered \(choice: "", "1s") later, as two TLS records with half of the answer in each"
      ),
      advice: FaultAdvice.wait
    ),
    sees: { span in
      [
        .binary("nothing at a notification that is accepted: the fault waits for an error response"),
        "its answer \(span.words) later, as two TLS records with half of it in each",
      ]
    },
    effect: { span in .answer(AnswerEffect(delay: span, cut: .inHalves)) }
  )
}
