package import APNSimWire

/// Something that goes wrong on purpose. The core decides on it, the listener performs it.
///
/// A fault is a case here, its name in `FaultKind`, its arguments in `spelling` and its row in `FaultKind.makeRow`:
/// after the case, the compiler asks for the others. Whatever reads, writes or lists faults goes by these rows.
package enum Fault: Hashable, Sendable {
  // Of one notification.

  /// The notification vanishes: it is accepted, reaches nobody, and nothing is said of it.
  case swallow
  /// The connection is closed in order, without an error response.
  case close(Trigger)
  /// The connection is reset.
  case reset(Trigger)
  /// Nothing more is read: the provider's writes fill the pipe.
  case stopReading(Trigger)

  /// The service is unavailable for a while from the first match on, then recovers (sygnal #304).
  case unavailable(Outage)
  /// A token without its app is answered 200 for a while before it is 410 (apnotic #66, sideshow #77 and #159).
  case lateUnregistered(Lag)

  // Of one request, and of its connection from then on.

  /// GOAWAY, and what becomes of the connection after it.
  case goaway(GoAway)
  /// RST_STREAM instead of an answer; nothing reaches a device.
  case resetStream(HTTP2Code)
  /// Its stream stays open for good. Delivered or not, the provider cannot tell (parse-node-apn #24, pushy #816).
  case unanswered(isDelivered: Bool)
  /// The parts of the answer come this much later, the body after the headers (sideshow #17, #20 and #24).
  case slowAnswer(headers: TimeSpan, body: TimeSpan)
  /// SETTINGS with another number of streams, ahead of the answer (apnotic #29, pushy #356).
  case maxStreams(Int)
  /// 500 InternalServerError until the provider reconnects (pushy #408 and #458, node-apn #463).
  case stickyServerError

  // Of a whole connection, decided when it opens or before.

  /// The certificate is refused in the handshake.
  case refuseHandshake(HandshakeRefusal)
  /// The handshake begins this much later.
  case acceptDelay(TimeSpan)
  /// Everything the simulator sends arrives this much later.
  case latency(TimeSpan)
  /// Each answer arrives later by a time of its own between these bounds, drawn from the seed; the order stays. What a
  /// loaded service looks like to a client that waits a fixed time for an error response before it goes on.
  case jitter(from: TimeSpan, to: TimeSpan)
  /// Everything the simulator sends comes in TLS records of so many bytes, with a pause between them.
  case slice(bytes: Int, pause: TimeSpan)
  /// The handshake succeeds and the connection is closed this much later, without a byte (seen for certificates of
  /// the wrong environment, node-apn #301).
  case closeAfterHandshake(TimeSpan)
  /// The connection is closed in order after so much simulated time without a notification; Apple's own limit was two
  /// hours (uniqush #47).
  case idleClose(TimeSpan)
  /// Everything is read, and nothing is ever answered or closed.
  case blackHole
  /// No window is given for the bodies of requests: they stay with the provider.
  case zeroWindow
  /// No PING is answered (apns2, pull request 209; pushy, pull request 265).
  case ignorePing
  /// The provider's SETTINGS are not acknowledged.
  case ignoreSettings

  // Of a feedback connection.

  /// The connection stays open after the last tuple.
  case feedbackHoldOpen
  /// The list ends after so many bytes, in the middle of a tuple if it falls there.
  case feedbackTruncate(bytes: Int)
  /// The list stays as it is, whoever reads it.
  case feedbackKeep

  /// The place in a connection's stream at which a fault strikes.
  package enum Trigger: Hashable, Sendable {
    /// At the notification that the rule matched.
    case now
    /// When exactly so many bytes of the connection have been read.
    case afterBytes(Int)
    /// When so many frames of the connection have been read.
    case afterFrames(Int)
    /// When so many requests of the connection have been read and answered. Frames and requests count for each other.
    case afterRequests(Int)
  }

  /// How long the service is unavailable, whichever is over first, and what it says meanwhile.
  package struct Outage: Hashable, Sendable {
    /// Simulated time from the first request that was refused; nil where requests alone end it.
    package var span: TimeSpan?
    /// The requests that are refused; nil where time alone ends it.
    package var requests: Int?
    /// Nil is 503.
    package var status: Int?
    /// Nil is ServiceUnavailable, or what the status is.
    package var reason: Reason?

    package init(span: TimeSpan? = nil, requests: Int? = nil, status: Int? = nil, reason: Reason? = nil) {
      (self.span, self.requests, self.status, self.reason) = (span, requests, status, reason)
    }

    /// What is answered.
    var answer: ScriptedAnswer {
      let reason: Reason =
        reason
        ?? (status == 429 ? .tooManyRequests : status == 500 ? .internalServerError : .serviceUnavailable)
      return ScriptedAnswer(status: status.map { UInt16(clamping: $0) }, reason: reason)
    }
  }

  /// How long a token counts as good after its device has said that the app is gone, whichever is over first.
  package struct Lag: Hashable, Sendable {
    package var successes: Int?
    package var span: TimeSpan?

    package init(successes: Int? = nil, span: TimeSpan? = nil) {
      (self.successes, self.span) = (successes, span)
    }
  }

  /// The ways to refuse a certificate (observed of the real gateway).
  package enum HandshakeRefusal: Hashable, Sendable {
    /// A fatal TLS alert: 44 revoked, 45 expired, 46 unknown, 48 unknown authority, 40 handshake failure.
    case alert(UInt8)
    /// TCP is closed in the middle of the handshake.
    case close
  }

  /// The fault's kind, and its arguments by their parameters' keys; a single value has no key.
  var spelling: (kind: FaultKind, arguments: FaultArguments) {
    switch self {
    case .swallow: (.swallow, [:])
    case .close(let trigger): (.close, ["": .trigger(trigger)])
    case .reset(let trigger): (.reset, ["": .trigger(trigger)])
    case .stopReading(let trigger): (.stopReading, ["": .trigger(trigger)])
    case .unavailable(let outage):
      (
        .unavailable,
        FaultArguments([
          "for": outage.span.map { .span($0) }, "requests": outage.requests.map { .count($0) },
          "status": outage.status.map { .count($0) }, "reason": outage.reason.map { .reason($0) },
        ])
      )
    case .lateUnregistered(let lag):
      (
        .lateUnregistered,
        FaultArguments(["successes": lag.successes.map { .count($0) }, "for": lag.span.map { .span($0) }])
      )
    case .goaway(let goAway):
      (
        .goaway,
        FaultArguments([
          "lastStream": .lastStream(goAway.lastStream), "code": .code(goAway.code),
          "reason": goAway.reason.map { .reason($0) }, "debug": goAway.debug.map { .text($0) },
          "then": .choice(goAway.then.rawValue), "twice": .flag(goAway.isTwice),
        ])
      )
    case .resetStream(let code): (.resetStream, ["code": .code(code)])
    case .unanswered(let isDelivered): (.unanswered, ["delivered": .flag(isDelivered)])
    case .slowAnswer(let headers, let body):
      (.slowAnswer, ["headers": .span(headers), "body": .span(body)])
    case .maxStreams(let count): (.maxStreams, ["": .count(count)])
    case .stickyServerError: (.stickyServerError, [:])
    case .refuseHandshake(let refusal): (.refuseHandshake, ["": .refusal(refusal)])
    case .acceptDelay(let span): (.acceptDelay, ["": .span(span)])
    case .latency(let span): (.latency, ["": .span(span)])
    case .jitter(let from, let to): (.jitter, ["from": .span(from), "to": .span(to)])
    case .slice(let bytes, let pause): (.slice, ["bytes": .count(bytes), "pause": .span(pause)])
    case .closeAfterHandshake(let span): (.closeAfterHandshake, ["": .span(span)])
    case .idleClose(let span): (.idleClose, ["": .span(span)])
    case .blackHole: (.blackHole, [:])
    case .zeroWindow: (.zeroWindow, [:])
    case .ignorePing: (.ignorePing, [:])
    case .ignoreSettings: (.ignoreSettings, [:])
    case .feedbackHoldOpen: (.feedbackHoldOpen, [:])
    case .feedbackTruncate(let bytes): (.feedbackTruncate, ["": .count(bytes)])
    case .feedbackKeep: (.feedbackKeep, [:])
    }
  }
}

/// The names that can stand at `fault`, in the order in which errors and help list them.
package enum FaultKind: String, CaseIterable, Sendable {
  case close, reset, swallow, stopReading, shutdown, unavailable, lateUnregistered, goaway, resetStream,
    unanswered, slowAnswer, maxStreams, stickyServerError, refuseHandshake, acceptDelay, latency, jitter,
    slice
  case closeAfterHandshake, idleClose, blackHole, zeroWindow, ignorePing, ignoreSettings, feedbackHoldOpen,
    feedbackTruncate, feedbackKeep

  /// The catalogue's row: on whose connections the fault can happen, when it is decided, what it takes, and what is
  /// made of that. The example is of its value.
  func makeRow() -> FaultRow {
    switch self {
    case .close: FaultRow(.gateway, .http2, at: .notification, .trigger) { .close($0.trigger()) }
    case .reset: FaultRow(.gateway, .http2, at: .notification, .trigger) { .reset($0.trigger()) }
    case .swallow: FaultRow(.gateway, .http2, at: .notification) { _ in .swallow }
    case .stopReading: FaultRow(.gateway, .http2, at: .notification, .trigger) { .stopReading($0.trigger()) }
    case .shutdown: .shutdown
    case .unavailable:
      FaultRow(
        .gateway,
        .http2,
        at: .notification,
        .fields(
          [
            FaultParameter("for", .span, "the time of an outage", isOptional: true),
            FaultParameter(
              "requests",
              .count(1...Int(Int32.max)),
              "the requests of an outage",
              isOptional: true
            ),
            FaultParameter("status", .count(400...599), "the status of an outage", isOptional: true),
            FaultParameter("reason", .reason, "the reason of an outage", isOptional: true),
          ],
          "{ requests: 3 }"
        )
      ) { arguments throws(FaultMistake) in
        let outage = Fault.Outage(
          span: arguments.spanIfGiven("for"),
          requests: arguments.countIfGiven("requests"),
          status: arguments.countIfGiven("status"),
          reason: arguments.reason("reason")
        )
        guard outage.span != nil || outage.requests != nil else {
          throw FaultMistake(
            key: "",
            message: "an outage ends: expected \"for\" or \"requests\", found neither"
          )
        }
        return .unavailable(outage)
      }
    case .lateUnregistered:
      FaultRow(
        .http2,
        at: .notification,
        .fields(
          [
            FaultParameter(
              "successes",
              .count(1...Int(Int32.max)),
              "the successes of a late 410",
              isOptional: true
            ),
            FaultParameter("for", .span, "the time of a late 410", isOptional: true),
          ],
          "{ successes: 2 }"
        )
      ) { arguments throws(FaultMistake) in
        let lag = Fault.Lag(
          successes: arguments.countIfGiven("successes"),
          span: arguments.spanIfGiven("for")
        )
        guard lag.successes != nil || lag.span != nil else {
          throw FaultMistake(
            key: "",
            message: "a late 410 comes in the end: expected \"successes\" or \"for\", found neither"
          )
        }
        return .lateUnregistered(lag)
      }
    case .goaway: .goAway
    case .resetStream: .resetStream
    case .unanswered: .unanswered
    case .slowAnswer: .slowAnswer
    case .maxStreams:
      FaultRow(.http2, at: .notification, .value(.count(0...Int(Int32.max)), "1")) { .maxStreams($0.count()) }
    case .stickyServerError: FaultRow(.http2, at: .notification) { _ in .stickyServerError }
    case .refuseHandshake:
      FaultRow(.gateway, .feedback, .http2, at: .handshake, .value(.refusal, "revoked")) {
        .refuseHandshake($0.refusal())
      }
    case .acceptDelay:
      FaultRow(.gateway, .feedback, .http2, at: .arrival, .value(.span, "200ms")) { .acceptDelay($0.span()) }
    case .latency:
      FaultRow(.gateway, .feedback, .http2, at: .opening, .value(.span, "200ms")) { .latency($0.span()) }
    case .jitter:
      FaultRow(
        .gateway,
        .feedback,
        .http2,
        at: .opening,
        .fields(
          [
            FaultParameter("from", .span, "the lower bound of a jitter", standard: .span(.zero)),
            FaultParameter("to", .span, "the upper bound of a jitter"),
          ],
          "{ from: 10ms, to: 80ms }"
        )
      ) { arguments throws(FaultMistake) in
        let (from, to) = (arguments.span("from"), arguments.span("to"))
        guard from <= to else {
          throw FaultMistake(
            key: "to",
            message: "expected a duration of \(from) or more for the upper bound of a jitter, found \(to)"
          )
        }
        return .jitter(from: from, to: to)
      }
    case .slice:
      FaultRow(
        .gateway,
        .feedback,
        .http2,
        at: .opening,
        .fields(
          [
            FaultParameter("bytes", .count(1...16_384), "the bytes of a slice"),
            FaultParameter("pause", .span, "the pause", standard: .span(.zero)),
          ],
          "{ bytes: 1, pause: 10ms }"
        )
      ) { .slice(bytes: $0.count("bytes"), pause: $0.span("pause")) }
    case .closeAfterHandshake:
      FaultRow(.gateway, .feedback, .http2, at: .opening, .value(.span, "50ms", standard: .span(.zero))) {
        .closeAfterHandshake($0.span())
      }
    case .idleClose:
      FaultRow(.gateway, .feedback, .http2, at: .opening, .value(.span, "2h")) { .idleClose($0.span()) }
    case .blackHole: FaultRow(.gateway, .feedback, .http2, at: .opening) { _ in .blackHole }
    case .zeroWindow: FaultRow(.http2, at: .opening) { _ in .zeroWindow }
    case .ignorePing: FaultRow(.http2, at: .opening) { _ in .ignorePing }
    case .ignoreSettings: FaultRow(.http2, at: .opening) { _ in .ignoreSettings }
    case .feedbackHoldOpen: FaultRow(.feedback, at: .opening) { _ in .feedbackHoldOpen }
    case .feedbackTruncate:
      FaultRow(.feedback, at: .opening, .value(.count(0...Int(Int32.max)), "20")) {
        .feedbackTruncate(bytes: $0.count())
      }
    case .feedbackKeep: FaultRow(.feedback, at: .opening) { _ in .feedbackKeep }
    }
  }
}
