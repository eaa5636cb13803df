import DequeModule

/// A provider's connection, by what it is to.
enum Connection {
  case gateway(GatewayRecord)
  case feedback(FeedbackRecord)
  case http2(RequestRecord)

  /// Its facts in either case.
  var record: ConnectionRecord {
    switch self {
    case .gateway(let record): record
    case .feedback(let record): record
    case .http2(let record): record
    }
  }

  var listener: Listener {
    switch self {
    case .gateway: .gateway
    case .feedback: .feedback
    case .http2: .http2
    }
  }

  /// Its record if it is to the gateway.
  var gateway: GatewayRecord? { if case .gateway(let record) = self { record } else { nil } }

  /// Its record if it is one of requests.
  var http2: RequestRecord? { if case .http2(let record) = self { record } else { nil } }
}

/// The connections of providers: those that are open, those that are still remembered, and how they are counted.
struct ConnectionBook {
  private var connections: [ConnectionID: Connection] = [:]
  /// Closed connections that are still remembered, oldest first.
  private var closed: Deque<ConnectionID> = []
  /// Discarded notifications that the connections above remember.
  private var discards = 0
  /// Error responses of connections that are not remembered any more.
  private(set) var forgottenErrors: UInt64 = 0
  /// The one that was looked up last.
  private var latest: Connection?
  private var nextID: UInt32 = 1
  /// Connections so far, by listener.
  private var ordinals: [Listener: UInt32] = [:]
  private var limits: Limits
  /// The provider tokens of teams, where they are counted so.
  var tokenUpdates = TeamTokenUpdates()

  init(limits: Limits) { self.limits = limits }

  /// A book without connections whose numbers go on where another's have got.
  init(limits: Limits, after older: ConnectionBook) {
    self.limits = limits
    nextID = older.nextID
  }

  subscript(id: ConnectionID) -> Connection? { connections[id] }

  /// The connection of a number, which is probably the same as before: what is sent again is that of one connection after
  /// another.
  mutating func lookUp(_ id: ConnectionID) -> Connection? {
    if let latest, latest.record.id == id { return latest }
    latest = connections[id]
    return latest
  }

  /// The gateway connection of a number.
  func gateway(_ id: ConnectionID) -> GatewayRecord? { connections[id]?.gateway }

  /// All that are remembered, in the order they came.
  var all: [Connection] { connections.values.sorted { $0.record.id < $1.record.id } }

  /// The open ones, in the order they came.
  var open: [Connection] {
    connections.values.filter(\.record.isOpen).sorted { $0.record.id < $1.record.id }
  }

  var openCount: Int { connections.values.count(where: \.record.isOpen) }

  /// The answers to requests that wait for their moment.
  var pendingAnswers: Int { connections.values.reduce(0) { $0 + ($1.http2?.pending.count ?? 0) } }

  /// Connections ever, those of devices among them.
  var total: UInt64 { UInt64(nextID) - 1 }

  /// Takes the number of the next connection, a device's or a provider's.
  mutating func takeID() -> ConnectionID {
    defer { nextID &+= 1 }
    return ConnectionID(rawValue: nextID)
  }

  /// Takes the next place among the connections of a listener.
  mutating func takeOrdinal(of listener: Listener) -> UInt32 {
    let ordinal = (ordinals[listener] ?? 0) &+ 1
    ordinals[listener] = ordinal
    return ordinal
  }

  mutating func add(_ connection: Connection) { connections[connection.record.id] = connection }

  /// True if there is room to remember another discarded notification.
  var hasRoomForDiscards: Bool { discards < limits.discards }

  mutating func countDiscard() { discards += 1 }

  /// Remembers that a connection has been closed.
  mutating func noteClosed(_ id: ConnectionID) { closed.append(id) }

  /// Forgets the oldest closed connection while too much is remembered; the latest one stays always.
  /// - Returns: that connection; nil while all that is remembered is within bounds.
  mutating func forgetNext() -> Connection? {
    while closed.count > limits.connections || (discards > limits.discards / 2 && closed.count > 1),
      let oldest = closed.popFirst()
    {
      guard let connection = connections.removeValue(forKey: oldest) else { continue }
      latest = nil
      if let record = connection.gateway {
        if record.error != nil { forgottenErrors += 1 }
        discards -= record.discarded.count
      }
      if let record = connection.http2 { discards -= record.unanswered.count }
      return connection
    }
    return nil
  }
}

extension Connection: KeptByCases {
  enum Tag: UInt8, CaseIterable { case gateway, feedback, http2 }

  func write(to state: inout StateWriter) {
    switch self {
    case .gateway(let record): state.write(Tag.gateway, record)
    case .feedback(let record): state.write(Tag.feedback, record)
    case .http2(let record): state.write(Tag.http2, record)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .gateway: try state.read(Self.gateway)
      case .feedback: try state.read(Self.feedback)
      case .http2: try state.read(Self.http2)
      }
  }
}

/// Each record is written once, in the order they came; others know it by its number.
extension ConnectionBook: KeptByMembers {
  static let members = Members(
    checked: Self.init,
    \.all,
    \.closed,
    \.discards,
    \.forgottenErrors,
    \.nextID,
    \.ordinals
  )

  private init(
    _ state: StateReader,
    _ all: [Connection],
    _ closed: Deque<ConnectionID>,
    _ discards: Int,
    _ forgottenErrors: UInt64,
    _ nextID: UInt32,
    _ ordinals: [Listener: UInt32]
  ) throws(StateError) {
    self.init(limits: Limits())
    for connection in all {
      let id = connection.record.id
      guard connections.updateValue(connection, forKey: id) == nil else {
        throw state.error("the connection \(id) was expected once")
      }
    }
    try state.expectTallies(discards)
    try state.expectTallies(forgottenErrors)
    guard nextID > 0 else { throw state.error("the number of a connection was expected, and 0 found") }
    (self.closed, self.discards, self.forgottenErrors) = (closed, discards, forgottenErrors)
    (self.nextID, self.ordinals) = (nextID, ordinals)
  }
}

extension ConnectionBook {
  /// Writes the records, and the malformed requests of their connections after them. States of before have nothing there, and
  /// so have those without a malformed request.
  func writeWithMalformed(to state: inout StateWriter) {
    write(to: &state)
    let records = all.compactMap(\.http2).filter { $0.malformed.count > 0 }
    guard !records.isEmpty else { return }
    state.write(count: records.count)
    for record in records {
      state.write(record.id)
      state.write(record.malformed)
    }
  }

  init(reading state: inout StateReader, limits: Limits) throws(StateError) {
    try self.init(reading: &state)
    self.limits = limits
    guard !state.isAtEnd else { return }
    for _ in 0..<(try state.count()) {
      let id: ConnectionID = try state.read()
      guard let record = connections[id]?.http2 else {
        throw state.error("a connection of requests was expected, and \(id) is none")
      }
      record.malformed = try state.read()
    }
  }

  /// True if there are as many apps and rules as the connections name.
  func namesOnly(apps: Int, rules: Int) -> Bool {
    connections.values.allSatisfy { connection in
      guard connection.record.app < apps else { return false }
      switch connection {
      case .gateway(let record): return !record.isOpen || record.rules.allSatisfy((0..<rules).contains)
      case .feedback: return true
      case .http2(let record):
        return (!record.isOpen || record.rules.allSatisfy((0..<rules).contains))
          && record.lastApp.map { $0 < apps } ?? true && record.unanswered.allSatisfy { $0.app < apps }
      }
    }
  }

  /// False for a discard that its connection, as far as it is known, does not have.
  func knows(_ discard: ResendTracker.Discard) -> Bool {
    switch connections[discard.connection] {
    case .gateway(let record)?: record.discarded.indices.contains(discard.index)
    case .http2(let record)?: record.unanswered.indices.contains(discard.index)
    case .feedback?, nil: true
    }
  }
}
