/// A provider connects to the feedback service.
struct FeedbackOpening: Input, KeptByMembers {
  let opening: ConnectionOpening

  static let members = Members(Self.init, \.opening)

  static var kind: InputKind { .feedbackOpened }

  func refusal(in world: inout World) -> Result<(record: FeedbackRecord, holdsOpen: Bool), TurnedAway>? {
    .failure(.suspended)
  }

  func apply(to world: inout World) -> Result<(record: FeedbackRecord, holdsOpen: Bool), TurnedAway> {
    guard let record = world.openFeedback(opening) else { return .failure(.noRoom) }
    return .success((record, world.configuration.quirks.contains(.feedbackHoldOpen)))
  }
}

/// A reader is handed the next tuples of its list.
struct FeedbackReading: ConnectionInput {
  let connection: FeedbackRecord
  let maximumBytes: Int
  /// The bytes of them that are sent, where a fault cuts them off.
  let sent: Int
  let isFirst: Bool
  /// Its place in a list that stays as it is.
  var cursor: UInt64

  static var kind: InputKind { .feedbackRead }

  static func read(_ entry: inout StateReader, of connection: FeedbackRecord) throws(StateError) -> Self {
    let input = Self(
      connection: connection,
      maximumBytes: try entry.read(),
      sent: try entry.read(),
      isFirst: try entry.read(),
      cursor: try entry.read()
    )
    guard input.maximumBytes >= 0, input.sent >= 0 else {
      throw entry.error("0 bytes or more were expected to be read")
    }
    return input
  }

  /// A tuple that is not kept is not handed out: it stays in the list for the next reader.
  func refusal(in world: inout World) -> (chunk: [UInt8], cursor: UInt64)? { ([], cursor) }

  func writeRest(to entry: inout StateWriter) {
    entry.write(maximumBytes)
    entry.write(sent)
    isFirst.write(to: &entry)
    entry.write(cursor)
  }

  mutating func apply(to world: inout World) -> (chunk: [UInt8], cursor: UInt64) {
    let chunk = world.readFeedback(
      connection,
      maximumBytes: maximumBytes,
      sent: sent,
      isFirst: isFirst,
      cursor: &cursor
    )
    return (chunk, cursor)
  }
}

/// A connection to the feedback service is gone.
struct FeedbackClosing: ConnectionInput {
  let connection: FeedbackRecord
  let reason: ClosingReason

  static var kind: InputKind { .feedbackClosed }

  static func read(_ entry: inout StateReader, of connection: FeedbackRecord) throws(StateError) -> Self {
    Self(connection: connection, reason: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { entry.write(reason) }

  func apply(to world: inout World) { world.close(connection, reason) }
}

extension FeedbackRecord: LoggedConnection {
  static func named(by entry: inout StateReader, in world: inout World) throws(StateError) -> FeedbackRecord {
    let id = ConnectionID(rawValue: try entry.raw(UInt32.self))
    guard case .feedback(let record)? = world.connections[id] else {
      throw entry.error("a connection to the feedback service was expected, and \(id) is none")
    }
    return record
  }
}
