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

extension ErrorResponse: KeptByMembers {
  static let members = Members(Self.init, \.status, \.identifier)
}

extension FeedbackTuple: KeptByMembers {
  static let members = Members(Self.init, \.timestamp, \.token)
}

extension TokenSizes: Kept {
  func write(to state: inout StateWriter) { state.write(raw: self) }

  /// Bits that stand for no length are left out.
  init(reading state: inout StateReader) throws(StateError) {
    self.init(try state.raw(TokenSizes.self).values)
  }
}

extension ByteRange: KeptByMembers {
  static let members = Members(Self.init, \.start, \.count)
}

extension HeaderField: KeptByMembers {
  static let members = Members(Self.init, \.name, \.value)
}

extension Identifier: KeptByMembers {
  static let members = Members(
    { high, low in
      var identifier = Identifier(random: high, low)
      (identifier.high, identifier.low) = (high, low)
      return identifier
    },
    \.high,
    \.low
  )
}

extension Answer: KeptByMembers {
  static let members = Members(
    beginning: { (status: UInt16) in
      var answer = Answer(
        to: Request(),
        in: UnsafeRawBufferPointer(start: nil, count: 0),
        reason: nil,
        made: nil
      )
      answer.status = status
      return answer
    },
    \.status,
    then: \.reason,
    \.timestamp,
    \.isBroadcast,
    \.supplied,
    \.made,
    \.unique,
    \.quirks
  )
}

extension ExactText: KeptByMembers {
  static let members = Members(Self.init, \.text)
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
