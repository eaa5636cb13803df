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

    /// The connection's fate.
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

extension Fault.GoAway.LastStream {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .exact: writer.string("exact")
    case .below: writer.string("below")
    case .zero: writer.string("zero")
    case .number(let number): writer.int(number)
    }
  }
}

extension Fault.GoAway.LastStream: KeptByCases {
  enum Tag: UInt8, CaseIterable { case exact, below, zero, number }

  func write(to state: inout StateWriter) {
    switch self {
    case .exact: state.write(Tag.exact)
    case .below: state.write(Tag.below)
    case .zero: state.write(Tag.zero)
    case .number(let number): state.write(Tag.number, number)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .exact: .exact
      case .below: .below
      case .zero: .zero
      case .number: try state.read(Self.number)
      }
  }
}
