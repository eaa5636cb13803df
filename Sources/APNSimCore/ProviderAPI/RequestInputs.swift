import APNSimWire

/// A provider connects to push by requests.
struct RequestsOpening: Input, KeptByMembers {
  let opening: ConnectionOpening

  static let members = Members(Self.init, \.opening)

  static var kind: InputKind { .requestsOpened }

  func refusal(in world: inout World) -> Result<RequestRecord, TurnedAway>? { .failure(.suspended) }

  func apply(to world: inout World) -> Result<RequestRecord, TurnedAway> {
    guard let record = world.openRequests(opening) else { return .failure(.noRoom) }
    world.strikeAtOpening(record)
    return .success(record)
  }
}

/// Requests that one read brought to their end. What a log has of an authorization is what was found of it: the verdict, never
/// the provider's token.
struct Requests: Input {
  /// Good while the input is carried out.
  let batch: UnsafeMutablePointer<RequestBatch>
  let read: UInt32
  let connection: RequestRecord
  /// Their provider lives by the real clock. In a log those that do not are marked.
  let isLive: Bool

  static var kind: InputKind { .requests }

  var matters: Bool { connection.isOpen }

  func refusal(in world: inout World) -> RequestActions? {
    var actions = RequestActions()
    guard connection.isOpen, !connection.isOver else { return actions }
    for place in 0..<batch.pointee.count {
      let prepared = batch.pointee[place]
      let answer = Answer(
        to: prepared.head,
        in: UnsafeRawBufferPointer(start: nil, count: 0),
        reason: .serviceUnavailable,
        timestamp: nil,
        made: nil,
        unique: nil,
        quirks: world.setup.requestRules.quirks
      )
      actions.answers.append(
        RequestAnswer(
          stream: prepared.stream,
          notification: 0,
          answer: answer,
          suppliedId: prepared.suppliedId
        )
      )
    }
    return actions
  }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(raw: read)
    entry.write(count: batch.pointee.count, isMarked: !isLive)
    for place in 0..<batch.pointee.count { batch.pointee[place].write(to: &entry) }
  }

  mutating func apply(to world: inout World) -> RequestActions {
    world.accept(&batch.pointee, read: read, isLive: isLive, on: connection)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let connection = try RequestRecord.named(by: &entry, in: &world)
    let read = try entry.raw(UInt32.self)
    let (count, isMarked) = try entry.markedCount()
    var batch = RequestBatch()
    for place in 0..<count {
      batch.append(try ProviderRequest(reading: &entry))
      guard batch.count == place + 1 else {
        throw entry.error("a request that can be read was expected")
      }
    }
    if world.configuration.rules.have(.whiteSpace) { batch.dropWhiteSpace() }
    _ = world.accept(&batch, read: read, isLive: !isMarked, on: connection)
  }
}

/// The provider gives up a stream.
struct StreamGivenUp: ConnectionInput {
  let connection: RequestRecord
  let stream: UInt32
  let code: HTTP2Code

  static var kind: InputKind { .streamGivenUp }

  static func read(_ entry: inout StateReader, of connection: RequestRecord) throws(StateError) -> Self {
    Self(connection: connection, stream: try entry.read(), code: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) {
    entry.write(raw: stream)
    entry.write(code)
  }

  func apply(to world: inout World) -> RequestActions { world.giveUp(stream, code, on: connection) }
}

/// A stream was reset, because what came on it was no request.
struct RequestMalformation: ConnectionInput {
  let connection: RequestRecord
  let malformed: MalformedRequest

  static var kind: InputKind { .requestMalformed }

  static func read(_ entry: inout StateReader, of connection: RequestRecord) throws(StateError) -> Self {
    Self(connection: connection, malformed: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { entry.write(malformed) }

  func apply(to world: inout World) {
    guard connection.isOpen else { return }
    connection.malformed.add(malformed)
    world.emit(.requestMalformed(connection.id, malformed))
  }
}

/// The bytes have been read after which the connection's fault strikes.
struct BytesCounted: ConnectionInput {
  let connection: RequestRecord

  static var kind: InputKind { .bytesCounted }

  static func read(_ entry: inout StateReader, of connection: RequestRecord) throws(StateError) -> Self {
    Self(connection: connection)
  }

  func apply(to world: inout World) -> RequestActions { world.strikeAfterBytes(connection) }
}

/// The service shuts down: the answers that have still to leave are taken, and GOAWAY follows them.
struct RequestsShutdown: ConnectionInput {
  let connection: RequestRecord

  static var kind: InputKind { .requestsShutDown }

  static func read(_ entry: inout StateReader, of connection: RequestRecord) throws(StateError) -> Self {
    Self(connection: connection)
  }

  func apply(to world: inout World) -> RequestActions {
    var actions = RequestActions()
    actions.answers = world.takeAnswers(of: connection)
    connection.noteGoAway(lastStream: connection.lastStream, at: world.now)
    return actions
  }
}

/// A connection of requests is gone.
struct RequestsClosing: ConnectionInput {
  let connection: RequestRecord
  let reason: ClosingReason

  static var kind: InputKind { .requestsClosed }

  static func read(_ entry: inout StateReader, of connection: RequestRecord) throws(StateError) -> Self {
    Self(connection: connection, reason: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { entry.write(reason) }

  func apply(to world: inout World) { world.close(connection, reason) }
}

extension RequestRecord: LoggedConnection {
  static func named(by entry: inout StateReader, in world: inout World) throws(StateError) -> RequestRecord {
    let id = ConnectionID(rawValue: try entry.raw(UInt32.self))
    guard let record = world.connections[id]?.http2 else {
      throw entry.error("a connection of requests was expected, and \(id) is none")
    }
    return record
  }
}
