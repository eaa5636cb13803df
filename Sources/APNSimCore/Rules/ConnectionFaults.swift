import APNSimWire

/// Faults of a whole connection, decided when it opens or before.
enum ConnectionFaults {
  /// The rows, in the order in which errors and help list them.
  static let kinds = [
    Fault.refuseHandshake.kind, Fault.acceptDelay.kind, Fault.latency.kind, Fault.jitter.kind,
    Fault.slice.kind, Fault.closeAfterHandshake.kind, Fault.idleClose.kind, Fault.blackHole.kind,
    Fault.zeroWindow.kind, Fault.ignorePing.kind, Fault.ignoreSettings.kind,
  ]

  fileprivate static let everywhere: [Listener] = [.gateway, .feedback, .http2]
}

extension Fault {
  /// The certificate is refused in the handshake.
  package static let refuseHandshake = FaultOf(
    FaultTitle("refuseHandshake", tag: 12, on: ConnectionFaults.everywhere, at: .handshake),
    .refusal,
    words: FaultWords(
      example: "revoked",
      meaning: "The handshake is refused.",
      details:
        " (over HTTP/2 at the ClientHello, with or without a certificate; a rule for a `topic` when the certificate is shown); "
        + "also `expired`, `unknown`, `unknownCA`, `handshakeFailure`, `close`, `{ alert: 44 }`",
      page: FaultSentence(
        .connection,
        "Handshake refused",
        """
        the handshake is refused: \(choice: "", "unknownCA", as: [
          "unknownCA": "unknown CA", "revoked": "certificate revoked", "expired": "certificate expired",
          "unknown": "certificate unknown",
        ])
        """,
        in: .handshake,
        isCommon: true
      ),
      advice: "It should stop and tell its owner: the certificate is not taken."
    ),
    sees: { refusal in
      switch refusal {
      case .alert(let code): [.handshake("the handshake fails: TLS alert \(code)")]
      case .close: [.handshake("FIN in the middle of the handshake")]
      }
    },
    effect: { refusal in .refuse(refusal) }
  )

  package static let acceptDelay = FaultOf(
    FaultTitle("acceptDelay", tag: 13, on: ConnectionFaults.everywhere, at: .arrival),
    .span(),
    words: FaultWords(
      example: "200ms",
      meaning: "The handshake begins this much later.",
      page: FaultSentence(
        .connection,
        "Slow handshake",
        "the handshake begins after \(choice: "", "1s")",
        in: .handshake
      ),
      advice: FaultAdvice.wait
    ),
    sees: { span in [.handshake("the handshake begins \(span.words) late")] },
    effect: { span in .wait(span) }
  )

  package static let latency = FaultOf(
    FaultTitle("latency", tag: 14, on: ConnectionFaults.everywhere, at: .opening),
    .span(),
    words: FaultWords(
      example: "200ms",
      meaning: "Whatever the simulator sends comes this much later.",
      page: FaultSentence(
        .connection,
        "Everything later",
        "whatever the simulator sends comes \(choice: "", "300ms") later"
      ),
      advice: FaultAdvice.wait
    ),
    sees: { span in ["everything arrives \(span.words) later"] },
    effect: { span in .plan { plan, _ in plan.latency = plan.latency ?? span } }
  )

  /// Each answer arrives later by a time of its own, drawn from the seed; the order stays. What a loaded service looks like
  /// to a client that waits a fixed time for an error response before it goes on.
  package static let jitter = FaultOf(
    FaultTitle("jitter", tag: 15, on: ConnectionFaults.everywhere, at: .opening),
    .span("from", "the lower bound of a jitter", standard: .zero),
    .span("to", "the upper bound of a jitter"),
    words: FaultWords(
      example: "{ from: 10ms, to: 80ms }",
      meaning: "Each answer comes later by a time of its own between two bounds, drawn from the seed.",
      details:
        " (`from` is 0 when absent); the answers of a connection stay in order, and an end that no answer precedes is not delayed",
      page: FaultSentence(
        .connection,
        "Jitter",
        "each answer comes later by a time of its own, between 0 and \(choice: "to", "300ms")"
      ),
      advice: FaultAdvice.wait
    ),
    mistake: { from, to in
      guard from > to else { return nil }
      return FaultMistake(
        key: "to",
        message: "expected a duration of \(from) or more for the upper bound of a jitter, found \(to)"
      )
    },
    sees: { from, to in ["each answer arrives later by \(from.words) to \(to.words), in order"] },
    effect: { from, to in .plan { plan, random in plan.addJitter(from, to, &random) } }
  )

  /// Everything the simulator sends comes in TLS records of so many bytes, with a pause between them.
  package static let slice = FaultOf(
    FaultTitle("slice", tag: 16, on: ConnectionFaults.everywhere, at: .opening),
    .count("bytes", "the bytes of a slice", in: 1...16_384),
    .span("pause", "the pause", standard: .zero),
    words: FaultWords(
      example: "{ bytes: 1, pause: 10ms }",
      meaning:
        "Whatever the simulator sends comes in TLS records of so many bytes, with a pause between them.",
      page: FaultSentence(
        .connection,
        "Cut into small pieces",
        """
        whatever the simulator sends comes in records of \(choice: "bytes", "1") bytes, \(choice: "pause", "50ms") apart
        """
      ),
      advice: FaultAdvice.wait
    ),
    sees: { bytes, pause in
      let apart = pause > .zero ? ", \(pause.words) apart" : ""
      return ["everything in TLS records of \(Number.counted(bytes, "byte"))\(apart)"]
    },
    effect: { bytes, pause in
      .plan { plan, _ in
        if plan.sliceBytes == nil { (plan.sliceBytes, plan.slicePause) = (max(1, bytes), pause) }
      }
    }
  )

  /// Seen for certificates of the wrong environment (node-apn #301).
  package static let closeAfterHandshake = FaultOf(
    FaultTitle("closeAfterHandshake", tag: 17, on: ConnectionFaults.everywhere, at: .opening),
    .span(standard: .zero),
    words: FaultWords(
      example: "50ms",
      meaning: "The handshake succeeds, then the connection ends.",
      page: FaultSentence(
        .connection,
        "Closed after the handshake",
        "the handshake succeeds and the connection ends",
        in: .handshake
      ),
      advice: FaultAdvice.connectAgain
    ),
    sees: { span in ["FIN \(span.words) after the handshake"] },
    effect: { span in .plan { plan, _ in plan.closeAfterHandshake = plan.closeAfterHandshake ?? span } }
  )

  /// Apple's own limit was two hours (uniqush #47).
  package static let idleClose = FaultOf(
    FaultTitle("idleClose", tag: 18, on: ConnectionFaults.everywhere, at: .opening),
    .span(),
    words: FaultWords(
      example: "2h",
      meaning: "A connection without a notification for this long is closed.",
      page: FaultSentence(
        .connection,
        "Closed when idle",
        "it is closed after \(choice: "", "10m") without a notification"
      ),
      advice: FaultAdvice.connectAgain
    ),
    sees: { span in ["FIN after \(span.words) without a notification"] },
    effect: { span in .plan { plan, _ in plan.idleClose = plan.idleClose ?? span } }
  )

  package static let blackHole = Fault(
    FaultTitle("blackHole", tag: 19, on: ConnectionFaults.everywhere, at: .opening),
    words: FaultWords(
      meaning: "Everything is read, nothing is answered, and the connection is never closed.",
      details: "; over HTTP/2 nothing at all is sent, and the requests count as discarded",
      page: FaultSentence(
        .connection,
        "Connection left open, nothing answered",
        "everything is read and nothing is answered",
        isCommon: true,
        startingOn: .http2
      ),
      advice: FaultAdvice.giveUp
    ),
    sees: ["nothing: everything is read, and nothing is answered or closed"],
    effect: .plan { plan, _ in plan.isBlackHole = true }
  )

  package static let zeroWindow = Fault(
    FaultTitle("zeroWindow", tag: 20, on: [.http2], at: .opening),
    words: FaultWords(
      meaning: "No window is given for the bodies of requests.",
      details: ": they stay with the provider",
      page: FaultSentence(.connection, "No window for bodies", "no window is given for bodies"),
      advice: FaultAdvice.giveUp
    ),
    sees: ["no window: bodies of requests cannot be sent"],
    effect: .plan { plan, _ in plan.isZeroWindow = true }
  )

  /// Seen by apns2 (pull request 209) and pushy (pull request 265).
  package static let ignorePing = Fault(
    FaultTitle("ignorePing", tag: 21, on: [.http2], at: .opening),
    words: FaultWords(
      meaning: "No PING is answered.",
      page: FaultSentence(.connection, "PING not answered", "PING is not answered"),
      advice: FaultAdvice.takeForDead
    ),
    sees: ["no answer to PING"],
    effect: .plan { plan, _ in plan.ignoresPings = true }
  )

  package static let ignoreSettings = Fault(
    FaultTitle("ignoreSettings", tag: 22, on: [.http2], at: .opening),
    words: FaultWords(
      meaning: "The provider's SETTINGS are not acknowledged.",
      page: FaultSentence(
        .connection,
        "SETTINGS not acknowledged",
        "the provider’s SETTINGS are not acknowledged"
      ),
      advice: FaultAdvice.takeForDead
    ),
    sees: ["no acknowledgement of its SETTINGS"],
    effect: .plan { plan, _ in plan.ignoresSettings = true }
  )
}
