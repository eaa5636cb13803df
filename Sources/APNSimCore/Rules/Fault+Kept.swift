import APNSimWire

extension Fault: KeptByCases {
  enum Tag: UInt8, CaseIterable {
    case swallow, close, reset, stopReading, unavailable, lateUnregistered, goaway, resetStream, unanswered,
      slowAnswer, maxStreams, stickyServerError, refuseHandshake, acceptDelay, latency, jitter, slice,
      closeAfterHandshake, idleClose, blackHole, zeroWindow, ignorePing, ignoreSettings, feedbackHoldOpen,
      feedbackTruncate, feedbackKeep
  }

  func write(to state: inout StateWriter) {
    switch self {
    case .swallow: state.write(Tag.swallow)
    case .close(let trigger): state.write(Tag.close, trigger)
    case .reset(let trigger): state.write(Tag.reset, trigger)
    case .stopReading(let trigger): state.write(Tag.stopReading, trigger)
    case .unavailable(let outage): state.write(Tag.unavailable, outage)
    case .lateUnregistered(let lag): state.write(Tag.lateUnregistered, lag)
    case .goaway(let goAway): state.write(Tag.goaway, goAway)
    case .resetStream(let code): state.write(Tag.resetStream, code)
    case .unanswered(let isDelivered): state.write(Tag.unanswered, isDelivered)
    case .slowAnswer(let headers, let body): state.write(Tag.slowAnswer, headers, body)
    case .maxStreams(let count): state.write(Tag.maxStreams, count)
    case .stickyServerError: state.write(Tag.stickyServerError)
    case .refuseHandshake(let refusal): state.write(Tag.refuseHandshake, refusal)
    case .acceptDelay(let span): state.write(Tag.acceptDelay, span)
    case .latency(let span): state.write(Tag.latency, span)
    case .jitter(let from, let to): state.write(Tag.jitter, from, to)
    case .slice(let bytes, let pause): state.write(Tag.slice, bytes, pause)
    case .closeAfterHandshake(let span): state.write(Tag.closeAfterHandshake, span)
    case .idleClose(let span): state.write(Tag.idleClose, span)
    case .blackHole: state.write(Tag.blackHole)
    case .zeroWindow: state.write(Tag.zeroWindow)
    case .ignorePing: state.write(Tag.ignorePing)
    case .ignoreSettings: state.write(Tag.ignoreSettings)
    case .feedbackHoldOpen: state.write(Tag.feedbackHoldOpen)
    case .feedbackTruncate(let bytes): state.write(Tag.feedbackTruncate, bytes)
    case .feedbackKeep: state.write(Tag.feedbackKeep)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .swallow: .swallow
      case .close: try state.read(Self.close)
      case .reset: try state.read(Self.reset)
      case .stopReading: try state.read(Self.stopReading)
      case .unavailable: try state.read(Self.unavailable)
      case .lateUnregistered: try state.read(Self.lateUnregistered)
      case .goaway: try state.read(Self.goaway)
      case .resetStream: try state.read(Self.resetStream)
      case .unanswered: try state.read(Self.unanswered)
      case .slowAnswer: try state.read(Self.slowAnswer)
      case .maxStreams: try state.read(Self.maxStreams)
      case .stickyServerError: .stickyServerError
      case .refuseHandshake: try state.read(Self.refuseHandshake)
      case .acceptDelay: try state.read(Self.acceptDelay)
      case .latency: try state.read(Self.latency)
      case .jitter: try state.read(Self.jitter)
      case .slice: try state.read(Self.slice)
      case .closeAfterHandshake: try state.read(Self.closeAfterHandshake)
      case .idleClose: try state.read(Self.idleClose)
      case .blackHole: .blackHole
      case .zeroWindow: .zeroWindow
      case .ignorePing: .ignorePing
      case .ignoreSettings: .ignoreSettings
      case .feedbackHoldOpen: .feedbackHoldOpen
      case .feedbackTruncate: try state.read(Self.feedbackTruncate)
      case .feedbackKeep: .feedbackKeep
      }
  }
}

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

extension Fault.Outage: KeptByMembers {
  static let members = Members(Self.init, \.span, \.requests, \.status, \.reason)
}

extension Fault.Lag: KeptByMembers {
  static let members = Members(Self.init, \.successes, \.span)
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

extension Fault.GoAway: KeptByMembers {
  static let members = Members(Self.init, \.lastStream, \.code, \.reason, \.debug, \.then, \.isTwice)
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

extension Fault.GoAway.Then: Kept {}
