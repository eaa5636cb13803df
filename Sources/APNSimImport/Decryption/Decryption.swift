package import APNSimCore

/// Reads the identity in a certificate (DER); nil for one that cannot be read.
package typealias IdentityReader = (_ der: [UInt8]) -> ProviderIdentity?

/// Replaces the TLS records that reassembly found by the plaintext that tshark finds in them.
///
/// tshark reads the same streams as packets of a transcript (``TLSTranscript``) and gives the content of each by its
/// number. Reassembly knows where connections begin, end and have gaps; tshark knows the plaintext.
///
/// The kind of a connection and its provider show in its plaintext, perhaps long after it began. The first reading
/// passes it on when it is recognized; the second one when it begins, as one in plaintext.
struct Decryption {
  /// TLS connections whose secrets the key log does not have.
  private(set) var undecryptable = 0
  /// Connections without a whole handshake, for which the key log cannot be searched.
  private(set) var withoutHandshake = 0
  private(set) var decrypted = 0
  /// Connections of another protocol.
  private(set) var otherConnections = 0

  /// The error that kept tshark from reading to the end.
  var failure: ImportError? { tshark.failure }

  private let tshark: TShark
  private let identity: IdentityReader
  private let foreseen: ForeseenConnections
  private var transcript = TLSTranscript()
  private var ahead: DecryptedFrame?
  private var isBegun = false
  private var connections: [ConnectionID: DecryptedConnection] = [:]
  private var ids: [Conversation.Key: ConnectionID] = [:]

  /// - Parameter foreseen: the connections that an earlier reading has found.
  init(
    _ tshark: TShark,
    identity: @escaping IdentityReader,
    foreseen: ForeseenConnections = ForeseenConnections()
  ) {
    self.tshark = tshark
    self.identity = identity
    self.foreseen = foreseen
  }

  /// Takes the events of a segment and appends them decrypted.
  mutating func pass(
    _ events: [StreamEvent],
    of segment: TCPSegment,
    into output: inout [StreamEvent]
  ) throws(ImportError) {
    let key = Conversation.Key(segment)
    if let id = ids[key], connections[id]?.side(of: segment.source) == .service {
      connections[id]?.opening.areAnswersSeen = true
    }
    for event in events {
      switch event.kind {
      case .opened(let opening) where opening.isTLS: ids[key] = event.connection
      case .closed where ids[key] == event.connection:
        noteEnd(segment, key)
        ids[key] = nil
      default: break
      }
      try pass(event, into: &output)
    }
    noteEnd(segment, key)
  }

  /// Notes the FIN that ends its direction, if nothing ended it before.
  private mutating func noteEnd(_ segment: TCPSegment, _ key: Conversation.Key) {
    guard segment.flags.contains(.fin), let id = ids[key], var connection = connections[id],
      connection.firstToEnd == nil
    else { return }
    connection.firstToEnd = connection.side(of: segment.source)
    connections[id] = connection
  }

  /// Takes the events of the capture's end and appends them decrypted.
  mutating func finish(_ events: [StreamEvent], into output: inout [StreamEvent]) throws(ImportError) {
    for event in events { try pass(event, into: &output) }
    for id in connections.keys.sorted() { end(id, at: output.last?.time, into: &output) }
  }

  private mutating func pass(
    _ event: StreamEvent,
    into output: inout [StreamEvent]
  ) throws(ImportError) {
    let isWhole = transcript.add(event)
    if case .opened(let opening) = event.kind, opening.isTLS {
      return open(opening, event, into: &output)
    }
    guard connections[event.connection] != nil else {
      output.append(event)
      return
    }
    switch event.kind {
    case .opened: return
    case .bytes(let side, _):
      // The handshake and the records themselves: tshark gives the content of their packets.
      while let frame = try frame(), frame.number <= transcript.packets {
        read(frame, of: event.connection, from: side, at: event.time, into: &output)
        ahead = try tshark.next()
      }
      if !isWhole { miss(side, of: event.connection, at: event.time, isLasting: true, into: &output) }
    case .missing(let side, _):
      miss(side, of: event.connection, at: event.time, isLasting: !isWhole, into: &output)
    case .closed:
      end(event.connection, at: event.time, into: &output)
      if let connection = connections.removeValue(forKey: event.connection), case .told = connection.state {
        var event = event
        if let first = connection.firstToEnd { event.kind = .closed(.closed(first: first)) }
        output.append(event)
      }
    }
  }

  private mutating func frame() throws(ImportError) -> DecryptedFrame? {
    if !isBegun { ahead = try tshark.next() }
    isBegun = true
    return ahead
  }

  private mutating func open(
    _ opening: StreamConnection,
    _ event: StreamEvent,
    into output: inout [StreamEvent]
  ) {
    var connection = DecryptedConnection(opening, event.connection, event.time)
    if let known = foreseen[opening.beginning] {
      connection.opening = known
      tell(&connection, into: &output)
    }
    connections[event.connection] = connection
  }

  private mutating func read(
    _ frame: DecryptedFrame,
    of id: ConnectionID,
    from side: StreamEvent.Side,
    at time: Timestamp,
    into output: inout [StreamEvent]
  ) {
    guard var connection = connections[id] else { return }
    if side == .provider, let certificate = frame.certificates.first, connection.opening.identity == nil {
      connection.opening.identity = identity(certificate)
    }
    if let version = frame.version { connection.opening.tlsVersion = Self.name(ofVersion: version) }
    if let suite = frame.cipherSuite { connection.opening.cipher = Self.name(ofSuite: suite) }
    connection.unreadable += frame.unreadable
    if frame.hasClientHello { connection.hasClientHello = true }
    if frame.hasServerHello { connection.hasServerHello = true }
    if frame.hasAlert, connection.firstToEnd == nil { connection.firstToEnd = side }
    var arrived = frame.data.filter { !$0.isEmpty }.map {
      StreamEvent(time: time, connection: id, kind: .bytes(side, $0[...]))
    }
    if !arrived.isEmpty, !connection.hasHandshake {
      // Without the handshake nothing can be decrypted: this is ciphertext that looks like records.
      connection.unreadable += arrived.count
      arrived = []
    }
    if !arrived.isEmpty {
      connection.silent.remove(side)
    } else if frame.unreadable > 0 {
      connection.silent.insert(side)
    }
    if case .unknown = connection.state {
      connection.held += arrived
      if !arrived.isEmpty { settle(&connection, into: &output) }
    } else if case .told = connection.state {
      output += arrived
    }
    connections[id] = connection
  }

  /// The most pieces of an unrecognized connection that wait for one that identifies it.
  private static let mostHeld = 256

  /// Passes a connection on once it is recognized by its port or by its first bytes.
  private mutating func settle(_ connection: inout DecryptedConnection, into output: inout [StreamEvent]) {
    let guess = connection.guess
    guard guess == .http2 || !connection.opening.isPortKnown else { return tell(&connection, into: &output) }
    switch guess {
    case .undecided where connection.held.count < Self.mostHeld: return
    case .gateway: tell(&connection, into: &output)
    case .http2:
      connection.opening.listener = .http2
      tell(&connection, into: &output)
    case .feedback:
      connection.opening.listener = .feedback
      tell(&connection, into: &output)
    case .tls, .somethingElse, .undecided: leaveOut(&connection)
    }
  }

  private mutating func leaveOut(_ connection: inout DecryptedConnection) {
    otherConnections += 1
    connection.state = .ignored
    connection.held = []
  }

  private mutating func tell(_ connection: inout DecryptedConnection, into output: inout [StreamEvent]) {
    decrypted += 1
    connection.state = .told
    output.append(
      StreamEvent(time: connection.begin, connection: connection.id, kind: .opened(connection.opening))
    )
    output += connection.held
    connection.held = []
  }

  /// - Parameter isLasting: true where nothing after it can be decrypted: the rest is one gap.
  private mutating func miss(
    _ side: StreamEvent.Side,
    of id: ConnectionID,
    at time: Timestamp,
    isLasting: Bool,
    into output: inout [StreamEvent]
  ) {
    guard var connection = connections[id], !connection.broken.contains(side) else { return }
    if isLasting { connection.broken.append(side) }
    let event = StreamEvent(time: time, connection: id, kind: .missing(side, count: nil))
    switch connection.state {
    case .unknown: connection.held.append(event)
    case .told: output.append(event)
    case .ignored: break
    }
    connections[id] = connection
  }

  /// Ends a connection. One without plaintext is passed on where its port is a service's and nothing remained
  /// encrypted.
  private mutating func end(_ id: ConnectionID, at time: Timestamp?, into output: inout [StreamEvent]) {
    guard var connection = connections[id] else { return }
    guard case .unknown = connection.state else { return endSides(of: connection, at: time, into: &output) }
    let isJoined = connection.opening.isPortKnown && !connection.hasClientHello
    if connection.unreadable > 0 || isJoined {
      if connection.hasHandshake { undecryptable += 1 } else { withoutHandshake += 1 }
      connection.state = .ignored
      connection.held = []
    } else if connection.opening.isPortKnown {
      tell(&connection, into: &output)
    } else {
      leaveOut(&connection)
    }
    connections[id] = connection
  }

  /// Reports records that could not be decrypted at the end of a side. A record without data may be empty, as TLS 1.0
  /// puts one in front of others against chosen plaintext; where no data follows, it is one that could not be
  /// decrypted.
  private mutating func endSides(
    of connection: DecryptedConnection,
    at time: Timestamp?,
    into output: inout [StreamEvent]
  ) {
    for side in [StreamEvent.Side.provider, .service] where connection.silent.contains(side) {
      miss(side, of: connection.id, at: time ?? connection.begin, isLasting: true, into: &output)
    }
  }

  /// `1.2`
  private static func name(ofVersion version: UInt16) -> String {
    switch version {
    case 0x0300: "SSLv3"
    case 0x0301...0x0304: "1.\(version - 0x0301)"
    default: ""
    }
  }

  /// The suite's number of the TLS registry, `0xC030`: its names differ between programs.
  private static func name(ofSuite suite: UInt16) -> String {
    let digits = String(suite, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
