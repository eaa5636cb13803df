import APNSimWire

// The wire's types, as kept state has them.

extension NotificationIdentifier: Kept {}
extension StatusCode: Kept {}
extension HTTP2Code: Kept {}
extension Reason: Kept {}
extension ChannelDescription.StoragePolicy: Kept {}

extension ErrorResponse: KeptByMembers {
  static let members = Members(Self.init, \.status, \.identifier)
}

extension FeedbackTuple: KeptByMembers {
  static let members = Members(Self.init, \.timestamp, \.token)
}

extension ByteRange: KeptByMembers {
  static let members = Members(Self.init, \.start, \.count)
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
    then: Place({ $0.reason }, { $0.reason = $1 }),
    Place({ $0.timestamp }, { $0.timestamp = $1 }),
    Place({ $0.isBroadcast }, { $0.isBroadcast = $1 }),
    Place({ $0.supplied }, { $0.supplied = $1 }),
    Place({ $0.made }, { $0.made = $1 }),
    Place({ $0.unique }, { $0.unique = $1 }),
    Place({ $0.quirks }, { $0.quirks = $1 })
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
