package import APNSimWire

extension Fault {
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

  /// The time for which the service is unavailable, whichever is over first, and its answer meanwhile.
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

    /// The answer.
    var answer: ScriptedAnswer {
      let reason: Reason =
        reason
        ?? (status == 429 ? .tooManyRequests : status == 500 ? .internalServerError : .serviceUnavailable)
      return ScriptedAnswer(status: status.map { UInt16(clamping: $0) }, reason: reason)
    }
  }

  /// The time for which a token counts as good after its device has said that the app is gone, whichever is over first.
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
}

// MARK: As JSON

extension Fault.Trigger {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .now: break
    case .afterBytes(let count): writer.member("afterBytes", count)
    case .afterFrames(let count): writer.member("afterFrames", count)
    case .afterRequests(let count): writer.member("afterRequests", count)
    }
    writer.endObject()
  }
}

extension Fault.HandshakeRefusal {
  /// `"close"` or `{"alert":44}`.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .close: writer.string("close")
    case .alert(let number):
      writer.beginObject()
      writer.member("alert", number)
      writer.endObject()
    }
  }
}

// MARK: In a kept state

extension Fault.Trigger: KeptByCases {
  enum Tag: UInt8, CaseIterable { case now, afterBytes, afterFrames, afterRequests }

  func write(to state: inout StateWriter) {
    switch self {
    case .now: state.write(Tag.now)
    case .afterBytes(let count): state.write(Tag.afterBytes, count)
    case .afterFrames(let count): state.write(Tag.afterFrames, count)
    case .afterRequests(let count): state.write(Tag.afterRequests, count)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .now: .now
      case .afterBytes: try state.read(Self.afterBytes)
      case .afterFrames: try state.read(Self.afterFrames)
      case .afterRequests: try state.read(Self.afterRequests)
      }
  }
}

extension Fault.HandshakeRefusal: KeptByCases {
  enum Tag: UInt8, CaseIterable { case alert, close }

  func write(to state: inout StateWriter) {
    switch self {
    case .alert(let number): state.write(Tag.alert, number)
    case .close: state.write(Tag.close)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .alert: try state.read(Self.alert)
      case .close: .close
      }
  }
}
