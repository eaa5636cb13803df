import APNSimWire

extension Fault: Kept {
  private var tag: UInt8 {
    switch self {
    case .swallow: 0
    case .close: 1
    case .reset: 2
    case .stopReading: 3
    case .unavailable: 4
    case .lateUnregistered: 5
    case .goaway: 6
    case .resetStream: 7
    case .unanswered: 8
    case .slowAnswer: 9
    case .maxStreams: 10
    case .stickyServerError: 11
    case .refuseHandshake: 12
    case .acceptDelay: 13
    case .latency: 14
    case .jitter: 15
    case .slice: 16
    case .closeAfterHandshake: 17
    case .idleClose: 18
    case .blackHole: 19
    case .zeroWindow: 20
    case .ignorePing: 21
    case .ignoreSettings: 22
    case .feedbackHoldOpen: 23
    case .feedbackTruncate: 24
    case .feedbackKeep: 25
    }
  }

  func write(to state: inout StateWriter) {
    state.write(raw: tag)
    switch self {
    case .close(let trigger), .reset(let trigger), .stopReading(let trigger): state.write(trigger)
    case .unavailable(let outage): state.write(outage)
    case .lateUnregistered(let lag): state.write(lag)
    case .goaway(let goAway): state.write(goAway)
    case .resetStream(let code): state.write(code)
    case .unanswered(let isDelivered): state.write(isDelivered)
    case .maxStreams(let count), .feedbackTruncate(let count): state.write(count)
    case .refuseHandshake(let refusal): state.write(refusal)
    case .acceptDelay(let span), .latency(let span), .closeAfterHandshake(let span), .idleClose(let span):
      state.write(span)
    case .slowAnswer(let first, let second), .jitter(let first, let second):
      state.write(first)
      state.write(second)
    case .slice(let bytes, let pause):
      state.write(bytes)
      state.write(pause)
    case .swallow, .stickyServerError, .blackHole, .zeroWindow, .ignorePing, .ignoreSettings,
      .feedbackHoldOpen, .feedbackKeep:
      break
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = .swallow
    case 1: self = .close(try state.read())
    case 2: self = .reset(try state.read())
    case 3: self = .stopReading(try state.read())
    case 4: self = .unavailable(try state.read())
    case 5: self = .lateUnregistered(try state.read())
    case 6: self = .goaway(try state.read())
    case 7: self = .resetStream(try state.read())
    case 8: self = .unanswered(isDelivered: try state.read())
    case 9: self = try .slowAnswer(headers: state.read(), body: state.read())
    case 10: self = .maxStreams(try state.read())
    case 11: self = .stickyServerError
    case 12: self = .refuseHandshake(try state.read())
    case 13: self = .acceptDelay(try state.read())
    case 14: self = .latency(try state.read())
    case 15: self = try .jitter(from: state.read(), to: state.read())
    case 16: self = try .slice(bytes: state.read(), pause: state.read())
    case 17: self = .closeAfterHandshake(try state.read())
    case 18: self = .idleClose(try state.read())
    case 19: self = .blackHole
    case 20: self = .zeroWindow
    case 21: self = .ignorePing
    case 22: self = .ignoreSettings
    case 23: self = .feedbackHoldOpen
    case 24: self = .feedbackTruncate(bytes: try state.read())
    case 25: self = .feedbackKeep
    case let tag: throw state.error("a fault was expected, and tag \(tag) found")
    }
  }
}

extension Fault.Trigger: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .now: state.write(raw: 0 as UInt8)
    case .afterBytes(let count):
      state.write(raw: 1 as UInt8)
      state.write(count)
    case .afterFrames(let count):
      state.write(raw: 2 as UInt8)
      state.write(count)
    case .afterRequests(let count):
      state.write(raw: 3 as UInt8)
      state.write(count)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = .now
    case 1: self = .afterBytes(try state.read())
    case 2: self = .afterFrames(try state.read())
    case 3: self = .afterRequests(try state.read())
    case let tag: throw state.error("a fault's trigger was expected, and tag \(tag) found")
    }
  }
}

extension Fault.Outage: Kept {
  func write(to state: inout StateWriter) {
    state.write(span)
    state.write(requests)
    state.write(status)
    state.write(reason)
  }

  init(reading state: inout StateReader) throws(StateError) {
    span = try state.read()
    requests = try state.read()
    status = try state.read()
    reason = try state.read()
  }
}

extension Fault.Lag: Kept {
  func write(to state: inout StateWriter) {
    state.write(successes)
    state.write(span)
  }

  init(reading state: inout StateReader) throws(StateError) {
    successes = try state.read()
    span = try state.read()
  }
}

extension Fault.HandshakeRefusal: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .alert(let number):
      state.write(raw: 0 as UInt8)
      state.write(number)
    case .close: state.write(raw: 1 as UInt8)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = .alert(try state.read())
    case 1: self = .close
    case let tag: throw state.error("a refusal of a handshake was expected, and tag \(tag) found")
    }
  }
}

extension Fault.GoAway: Kept {
  func write(to state: inout StateWriter) {
    state.write(lastStream)
    state.write(code)
    state.write(reason)
    state.write(debug)
    state.write(then)
    state.write(isTwice)
  }

  init(reading state: inout StateReader) throws(StateError) {
    lastStream = try state.read()
    code = try state.read()
    reason = try state.read()
    debug = try state.read()
    then = try state.read()
    isTwice = try state.read()
  }
}

extension Fault.GoAway.LastStream: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .exact: state.write(raw: 0 as UInt8)
    case .below: state.write(raw: 1 as UInt8)
    case .zero: state.write(raw: 2 as UInt8)
    case .number(let number):
      state.write(raw: 3 as UInt8)
      state.write(number)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    switch try state.raw(UInt8.self) {
    case 0: self = .exact
    case 1: self = .below
    case 2: self = .zero
    case 3: self = .number(try state.read())
    case let tag: throw state.error("the last stream was expected, and tag \(tag) found")
    }
  }
}

extension Fault.GoAway.Then: Kept {}
