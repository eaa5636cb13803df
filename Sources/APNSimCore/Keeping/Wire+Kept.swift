import APNSimWire

// What the wire's types are in kept state.

extension NotificationIdentifier: Kept {}
extension StatusCode: Kept {}
extension CommandSet: Kept {}
extension FrameDefect: Kept {}
extension PayloadProblem: Kept {}
extension PayloadEncoding: Kept {}
extension HTTP2Code: Kept {}
extension Reason: Kept {}
extension PushType: Kept {}
extension RequestCheck: Kept {}
extension Request.Method: Kept {}
extension Request.Target: Kept {}
extension Request.Scheme: Kept {}
extension ProviderToken.Remarks: Kept {}
extension ChannelDescription.StoragePolicy: Kept {}

extension ErrorResponse: Kept {
  func write(to state: inout StateWriter) {
    status.write(to: &state)
    identifier.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let status = try StatusCode(reading: &state)
    self.init(status: status, identifier: try NotificationIdentifier(reading: &state))
  }
}

extension FeedbackTuple: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: timestamp)
    state.write(token)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let timestamp = try state.raw(UInt32.self)
    self.init(timestamp: timestamp, token: Array(try state.bytes()))
  }
}

extension TokenSizes: Kept {
  func write(to state: inout StateWriter) { state.write(raw: self) }

  /// Bits that stand for no length are left out.
  init(reading state: inout StateReader) throws(StateError) {
    self.init(try state.raw(TokenSizes.self).values)
  }
}

extension ByteRange: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: start)
    state.write(raw: count)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let start = try state.raw(UInt32.self)
    self.init(start: start, count: try state.raw(UInt32.self))
  }
}

extension HeaderField: Kept {
  func write(to state: inout StateWriter) {
    name.write(to: &state)
    value.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let name = try ByteRange(reading: &state)
    self.init(name: name, value: try ByteRange(reading: &state))
  }
}

extension Identifier: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: high)
    state.write(raw: low)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let (high, low) = (try state.raw(UInt64.self), try state.raw(UInt64.self))
    self.init(random: high, low)
    (self.high, self.low) = (high, low)
  }
}

extension Answer: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: status)
    reason.write(to: &state)
    timestamp.write(to: &state)
    isBroadcast.write(to: &state)
    supplied.write(to: &state)
    made.write(to: &state)
    unique.write(to: &state)
    quirks.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    self.init(to: Request(), in: UnsafeRawBufferPointer(start: nil, count: 0), reason: nil, made: nil)
    status = try state.raw(UInt16.self)
    reason = try state.read()
    timestamp = try state.read()
    isBroadcast = try state.read()
    supplied = try state.read()
    made = try state.read()
    unique = try state.read()
    quirks = try state.read()
  }
}

extension ExactText: Kept {
  func write(to state: inout StateWriter) { text.write(to: &state) }

  init(reading state: inout StateReader) throws(StateError) { self.init(try String(reading: &state)) }
}

/// As its text, whose reading is bounded in depth.
extension JSONValue: Kept {
  func write(to state: inout StateWriter) {
    var writer = JSONWriter()
    writer.value(self)
    state.write(writer.bytes)
  }

  init(reading state: inout StateReader) throws(StateError) {
    let bytes = Array(try state.bytes())
    do {
      self = try JSONValue.parse(bytes)
    } catch {
      throw state.error("JSON was expected: \(error)")
    }
  }
}
