/// A device connects.
struct DeviceArrival: Input, KeptByMembers {
  let opening: DeviceOpening

  static let members = Members(Self.init, \.opening)

  static var kind: InputKind { .deviceOpened }

  /// A connection that the state does not know: the device hears why, and nothing else.
  func refusal(in world: inout World) -> DeviceSession? {
    let session = DeviceSession(id: ConnectionID(rawValue: 0), opening: opening)
    session.append(.line(DeviceRefusal.unkept.line))
    session.end()
    return session
  }

  func apply(to world: inout World) -> DeviceSession { world.open(opening) }
}

/// Lines that one read of a device's connection brought to their end.
struct DeviceLines: Input {
  let session: DeviceSession
  let lines: [[UInt8]]
  /// The beginning of a line that has more bytes than it may and no end.
  let endless: [UInt8]?

  static var kind: InputKind { .deviceSaid }

  var matters: Bool { session.isKnown }

  func idleOutcome(in world: inout World) -> Void? {
    session.wake()
    return lines.isEmpty && endless == nil ? () : nil
  }

  /// The device hears that there is no room, and may come again.
  func refusal(in world: inout World) -> Void? {
    world.refuse(session, .unkept)
    return ()
  }

  func write(to entry: inout StateWriter) {
    entry.write(raw: session.id.rawValue)
    entry.write(count: lines.count)
    for line in lines { entry.write(line) }
    endless.write(to: &entry)
  }

  func apply(to world: inout World) {
    for line in lines { world.receive(line, from: session) }
    if let endless { world.receiveEndless(endless, from: session) }
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let session = try world.session(&entry)
    session.wake()
    DeviceLines(session: session, lines: try entry.read(), endless: try entry.read()).apply(to: &world)
  }
}

/// Lines that wait for a device are taken to be sent.
struct LinesTaking: Input {
  let session: DeviceSession
  let most: Most

  /// The most that is taken at once.
  enum Most {
    /// Whole lines of about so many bytes.
    case bytes(Int)
    /// A number of lines, unread.
    case lines(Int)
  }

  typealias Taken = (outputs: [DeviceSession.Output], isDrained: Bool, isLast: Bool)

  static var kind: InputKind { .linesTaken }

  var matters: Bool { session.isKnown }

  func idleOutcome(in world: inout World) -> Taken? {
    guard session.isDrained else { return nil }
    session.restIfDrained()
    return ([], true, session.isEnding)
  }

  func write(to entry: inout StateWriter) {
    entry.write(raw: session.id.rawValue)
    switch most {
    case .bytes(let count):
      entry.write(false)
      entry.write(count)
    case .lines(let count):
      entry.write(true)
      entry.write(count)
    }
  }

  func apply(to world: inout World) -> Taken {
    var outputs: [DeviceSession.Output] = []
    let taken: Int
    switch most {
    case .bytes(let count):
      outputs = session.take(count)
      taken = outputs.count
    case .lines(let count): taken = session.drop(count)
    }
    if taken > 0, matters { world.emit(.linesSent(session.id, count: taken)) }
    session.restIfDrained()
    return (outputs, session.isDrained, session.isDrained && session.isEnding)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let session = try world.session(&entry)
    let isLines = try entry.read(Bool.self)
    let count = try entry.read(Int.self)
    _ = LinesTaking(session: session, most: isLines ? .lines(count) : .bytes(count)).apply(to: &world)
  }
}

/// A device has connected and then said nothing for too long; nothing happens when it has.
struct DeviceSilence: Input {
  let session: DeviceSession
  let seconds: Int64

  static var kind: InputKind { .deviceSilent }

  var matters: Bool { session.isKnown }

  func idleOutcome(in world: inout World) -> Void? { session.device != nil || session.isEnding ? () : nil }

  func write(to entry: inout StateWriter) {
    entry.write(raw: session.id.rawValue)
    entry.write(seconds)
  }

  func apply(to world: inout World) {
    let refusal = DeviceRefusal(
      .silence,
      expected: DeviceRequest.expected,
      found: "nothing within \(seconds) s"
    )
    world.emit(.deviceSilent(session.id, seconds: seconds))
    world.refuse(session, refusal)
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    DeviceSilence(session: try world.session(&entry), seconds: try entry.read()).apply(to: &world)
  }
}

/// A device's connection is gone. The device is offline then, unless a newer connection has it.
struct DeviceDisconnection: Input {
  let session: DeviceSession
  let reason: ClosingReason

  static var kind: InputKind { .deviceClosed }

  var matters: Bool { session.isKnown }

  func write(to entry: inout StateWriter) {
    entry.write(raw: session.id.rawValue)
    entry.write(reason)
  }

  func apply(to world: inout World) { world.close(session, reason) }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    DeviceDisconnection(session: try world.session(&entry), reason: try entry.read()).apply(to: &world)
  }
}

extension DeviceRefusal {
  /// Nothing can be kept at present.
  fileprivate static var unkept: DeviceRefusal {
    DeviceRefusal(.room, expected: "room on the disk for what is kept", found: "none")
  }
}

extension DeviceSession {
  /// False for one that is closed, or was turned away as it came.
  fileprivate var isKnown: Bool { phase != .closed && id.rawValue > 0 }
}

extension World {
  /// The connection of a device that an entry is about.
  fileprivate func session(_ entry: inout StateReader) throws(StateError) -> DeviceSession {
    let id = ConnectionID(rawValue: try entry.raw(UInt32.self))
    guard let session = sessions.open[id] else {
      throw entry.error("a device's connection was expected, and \(id) is none")
    }
    return session
  }
}
