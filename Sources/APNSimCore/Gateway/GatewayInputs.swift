import APNSimWire

/// A provider connects to the gateway.
struct GatewayOpening: Input, KeptByMembers {
  let opening: ConnectionOpening

  static let members = Members(Self.init, \.opening)

  static var kind: InputKind { .gatewayOpened }

  func refusal(in world: inout World) -> Result<GatewayRecord, TurnedAway>? { .failure(.suspended) }

  func apply(to world: inout World) -> Result<GatewayRecord, TurnedAway> {
    guard !world.refusesForChurn(opening) else { return .failure(.churn) }
    guard let record = world.openGateway(opening) else { return .failure(.noRoom) }
    return .success(record)
  }
}

/// The stream's fault strikes, before a frame or within one.
struct StreamStriking: ConnectionInput {
  let connection: GatewayRecord
  let strike: StreamStrike
  /// The beginning of a frame that will never be whole: it is journalled where it is cut off.
  let rest: [UInt8]

  static var kind: InputKind { .streamStruck }

  static func read(_ entry: inout StateReader, of connection: GatewayRecord) throws(StateError) -> Self {
    guard let strike = connection.plan.strike.flatMap({ StreamStrike($0) }) else {
      throw entry.error("connection \(connection.id) was expected to have a fault that strikes")
    }
    return Self(connection: connection, strike: strike, rest: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { entry.write(rest) }

  func apply(to world: inout World) -> GatewayAction {
    if !rest.isEmpty, connection.isOpen { world.emit(.bytesIn(connection.id, rest, count: rest.count)) }
    return world.strike(strike, connection)
  }
}

/// No further frame will come: an answer that waited for one leaves.
struct FramesEnd: ConnectionInput {
  let connection: GatewayRecord

  static var kind: InputKind { .framesEnded }

  static func read(_ entry: inout StateReader, of connection: GatewayRecord) throws(StateError) -> Self {
    Self(connection: connection)
  }

  func idleOutcome(in world: inout World) -> GatewayAction? {
    connection.replies.first.map { $0.framesLeft > 0 } == true ? nil : GatewayAction.none
  }

  func apply(to world: inout World) -> GatewayAction { world.endFrames(of: connection) }
}

/// An operator shuts a connection down, or nothing can be kept any more.
struct GatewayShutdown: ConnectionInput {
  let connection: GatewayRecord
  /// True while no notification of it has been refused: it gets a response that names the last accepted one.
  let isAccepting: Bool

  static var kind: InputKind { .gatewayShutDown }

  static func read(_ entry: inout StateReader, of connection: GatewayRecord) throws(StateError) -> Self {
    Self(connection: connection, isAccepting: try entry.read())
  }

  func writeRest(to entry: inout StateWriter) { isAccepting.write(to: &entry) }

  func apply(to world: inout World) -> GatewayAction {
    var drain = GatewayAction.none
    drain.ending = .drain
    guard connection.isOpen else { return drain }
    guard isAccepting else {
      guard !connection.replies.isEmpty else { return drain }
      world.emit(.shutdown(connection.id))
      return world.releaseNow(on: connection)
    }
    guard !connection.isOver else { return drain }
    world.emit(.shutdown(connection.id))
    world.noteStanding(on: connection)
    let response = ErrorResponse(status: .shutdown, identifier: connection.lastAccepted)
    return world.respond(response, about: 0, on: connection, ending: .drain)
  }
}

/// A connection to the gateway is gone.
struct GatewayClosing: Input {
  let connection: GatewayRecord
  /// The bytes that no frame could be made of, as many as were kept, and how many there were.
  let rest: [UInt8]
  let count: Int
  let reason: ClosingReason
  /// The frame that its provider has begun and not finished, which its reader has noted.
  let progress: FrameProgress.Mark

  static var kind: InputKind { .gatewayClosed }

  var matters: Bool { connection.isOpen }

  func write(to entry: inout StateWriter) {
    entry.write(raw: connection.id.rawValue)
    entry.write(rest)
    entry.write(count)
    entry.write(reason)
    entry.write(raw: progress)
  }

  func apply(to world: inout World) {
    if count > 0, connection.isOpen { world.emit(.bytesIn(connection.id, rest, count: count)) }
    world.close(connection, reason)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let input = GatewayClosing(
      connection: try GatewayRecord.named(by: &entry, in: &world),
      rest: try entry.read(),
      count: try entry.read(),
      reason: try entry.read(),
      progress: try entry.raw(FrameProgress.Mark.self)
    )
    input.connection.progress.note(input.progress)
    input.apply(to: &world)
  }
}

extension GatewayRecord: LoggedConnection {
  static func named(by entry: inout StateReader, in world: inout World) throws(StateError) -> GatewayRecord {
    let id = ConnectionID(rawValue: try entry.raw(UInt32.self))
    guard let record = world.connections.gateway(id) else {
      throw entry.error("a connection to the gateway was expected, and \(id) is none")
    }
    return record
  }
}

extension World {
  /// The stream's fault strikes: the end of the connection, or of reading it.
  mutating func strike(_ strike: StreamStrike, _ record: GatewayRecord) -> GatewayAction {
    // The simulator has ended it by now, and its provider has not noticed.
    guard !record.isOver else { return .none }
    if strike.ending != .stopReading { record.conclude() }
    emit(.faultFired(record.id, strike.fault.name))
    var action = GatewayAction.none
    action.ending = strike.ending
    return action
  }

  /// No further frame will come: an answer that waited for one leaves.
  mutating func endFrames(of record: GatewayRecord) -> GatewayAction {
    guard record.isOpen, let pending = record.replies.first, pending.framesLeft > 0 else { return .none }
    emit(.inputEnded(record.id))
    return releaseAtEnd(of: record)
  }
}
