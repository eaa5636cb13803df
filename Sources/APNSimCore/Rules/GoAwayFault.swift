package import APNSimWire

extension Fault {
  /// GOAWAY, by the request that it comes at (RFC 9113 section 6.8).
  package struct GoAway: Hashable, Sendable {
    /// The last stream that it names.
    package var lastStream: LastStream
    package var code: HTTP2Code
    /// The word in its debug data, as Apple has it: `{"reason":"Shutdown"}`.
    package var reason: Reason?
    /// The debug data, where it is no reason's.
    package var debug: String?
    package var then: Then
    /// True where the same frame comes twice (pushy #312).
    package var isTwice: Bool

    /// The last stream, beside that of the request at hand.
    package enum LastStream: Hashable, Sendable {
      /// The request's own: its answer comes before.
      case exact
      /// The one before it: the request, and what is open above, is unanswered.
      case below
      case zero
      case number(UInt32)
    }

    /// What becomes of the connection.
    package enum Then: String, Hashable, Sendable, CaseIterable {
      /// It is closed once what was taken is answered.
      case close
      /// It stays open, and nothing that comes is heard (pushy #567).
      case open
      /// Every stream that comes is refused (DocNR/clave, pull request 14).
      case refuse
    }

    package init(
      lastStream: LastStream = .exact,
      code: HTTP2Code = .noError,
      reason: Reason? = nil,
      debug: String? = nil,
      then: Then = .close,
      isTwice: Bool = false
    ) {
      (self.lastStream, self.code, self.reason, self.debug) = (lastStream, code, reason, debug)
      (self.then, self.isTwice) = (then, isTwice)
    }

    /// The stream that the frame names, at a request on `stream`.
    func lastStream(at stream: UInt32) -> UInt32 {
      switch lastStream {
      case .exact: stream
      case .below: stream < 2 ? 0 : stream - 2
      case .zero: 0
      case .number(let number): number
      }
    }

    /// The last stream that is answered, whatever more the frame promises.
    func lastAnswered(at stream: UInt32) -> UInt32 { min(stream, lastStream(at: stream)) }

    func frame(at stream: UInt32, _ quirks: Quirks) -> RequestFrame {
      let isDocumented = quirks.contains(.documentedReasons)
      let text = debug ?? reason.map { #"{"reason":"\#($0.name(documented: isDocumented))"}"# } ?? ""
      return .goAway(lastStream: lastStream(at: stream), code, debug: Array(text.utf8))
    }
  }
}

extension FaultRow {
  static let goAway = FaultRow(
    .http2,
    at: .notification,
    .fields(
      [
        FaultParameter("lastStream", .lastStream, "the last stream", standard: .lastStream(.exact)),
        FaultParameter("code", .code, "the code of a GOAWAY", standard: .code(.noError)),
        FaultParameter("reason", .reason, "the reason of a GOAWAY", isOptional: true),
        FaultParameter("debug", .text, "the debug data", isOptional: true),
        FaultParameter(
          "then",
          .choice(Fault.GoAway.Then.allCases.map(\.rawValue)),
          "what becomes of the connection",
          standard: .choice(Fault.GoAway.Then.close.rawValue)
        ),
        FaultParameter("twice", .flag, "twice", standard: .flag(false)),
      ],
      "{ lastStream: below, reason: Shutdown, then: open }"
    )
  ) { arguments throws(FaultMistake) in
    let (reason, debug) = (arguments.reason("reason"), arguments.text("debug"))
    // A frame has 16,384 bytes at most (RFC 9113 section 4.2), of which GOAWAY needs eight.
    if let count = debug?.utf8.count, count > 16_376 {
      throw FaultMistake(
        key: "debug",
        message: "expected debug data that fits into a frame, at most 16376 bytes, found \(count)"
      )
    }
    guard reason == nil || debug == nil else {
      throw FaultMistake(key: "debug", message: "a GOAWAY has \"reason\" or \"debug\", not both")
    }
    return .goaway(
      Fault.GoAway(
        lastStream: arguments.lastStream("lastStream"),
        code: arguments.code("code") ?? .noError,
        reason: reason,
        debug: debug,
        then: arguments.choice("then").flatMap { .init(rawValue: $0) } ?? .close,
        isTwice: arguments.flag("twice")
      )
    )
  }
}
