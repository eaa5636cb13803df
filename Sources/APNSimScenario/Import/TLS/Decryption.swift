import APNSimCore

/// Puts the plaintext that tshark finds in the place of the TLS records that reassembly found.
///
/// Both read the same file. What tshark says goes to the connection with its addresses and ports, at the packet that it
/// names, by number and by what the packet itself says: numbers drift apart where a file has blocks that only one of the
/// two counts. Reassembly knows where connections begin, end and have gaps, tshark knows what was said.
struct Decryption {
  /// TLS connections whose secrets the key log does not have.
  private(set) var undecryptable = 0
  /// Those whose handshakes the capture does not have whole, so that the key log cannot be searched for them.
  private(set) var withoutHandshake = 0
  private(set) var decrypted = 0
  /// Those that turned out to be of another protocol.
  private(set) var otherConnections = 0

  /// What kept tshark from reading to the end.
  var failure: ImportError? { tshark.failure }

  private let tshark: TShark
  private let identity: CaptureImport.IdentityReader
  private var ahead: DecryptedFrame?
  private var connections: [ConnectionID: DecryptedConnection] = [:]
  private var ids: [Conversation.Key: ConnectionID] = [:]
  /// By how much tshark's numbers are ahead of ours.
  private var drift = 0

  /// Where numbers have drifted apart, so many packets may come before the one that tshark means.
  private static let mostEarly = 1024

  init(_ tshark: TShark, identity: @escaping CaptureImport.IdentityReader) throws(ImportError) {
    self.tshark = tshark
    self.identity = identity
    ahead = try tshark.next()
  }

  /// Takes what a packet brought to light and appends what remains of it, decrypted.
  mutating func pass(
    _ events: [StreamEvent],
    of packet: CapturedPacket,
    _ segment: TCPSegment,
    into output: inout [StreamEvent]
  ) throws(ImportError) {
    let key = Conversation.Key(segment)
    var endings: [StreamEvent] = []
    for event in events {
      if case .opened(let opening) = event.kind, opening.isTLS { ids[key] = event.connection }
      if case .closed = event.kind { endings.append(event) } else { pass(event, into: &output) }
    }
    if let id = ids[key], connections[id]?.side(of: segment.source) == .service {
      connections[id]?.opening.areAnswersSeen = true
    }
    let identity = PacketIdentity(segment, of: packet)
    while let frame = ahead, isDue(frame, at: packet.number, identity) {
      let isHere = frame.number - drift == packet.number
      let meant = frame.packet ?? (isHere ? identity : nil)
      if let meant, let id = ids[meant.key] {
        read(frame, of: id, from: meant.source, at: events.last?.time ?? packet.time, into: &output)
      }
      ahead = try tshark.next()
    }
    if segment.flags.contains(.fin), let id = ids[key], var connection = connections[id],
      connection.firstToEnd == nil
    {
      connection.firstToEnd = connection.side(of: segment.source)
      connections[id] = connection
    }
    for event in endings {
      pass(event, into: &output)
      if ids[key] == event.connection { ids[key] = nil }
    }
  }

  /// Whether a frame is the packet that has come, or one that came before it.
  private mutating func isDue(_ frame: DecryptedFrame, at number: Int, _ packet: PacketIdentity) -> Bool {
    guard let meant = frame.packet else { return frame.number - drift <= number }
    if meant == packet {
      drift = frame.number - number
      return true
    }
    let lateness = number - (frame.number - drift)
    guard lateness >= 0 else { return false }
    return meant.time <= packet.time || lateness > Self.mostEarly || meant.isSameSegment(as: packet)
  }

  /// Takes what the end of the capture brought to light.
  mutating func finish(_ events: [StreamEvent], into output: inout [StreamEvent]) throws(ImportError) {
    for event in events { pass(event, into: &output) }
    for id in connections.keys.sorted() { end(id, at: output.last?.time, into: &output) }
    while try tshark.next() != nil {}
  }

  private mutating func pass(_ event: StreamEvent, into output: inout [StreamEvent]) {
    if case .opened(let opening) = event.kind, opening.isTLS {
      connections[event.connection] = DecryptedConnection(opening, event.connection, event.time)
      return
    }
    guard connections[event.connection] != nil else {
      output.append(event)
      return
    }
    switch event.kind {
    case .opened, .bytes: return  // the handshake and the records themselves
    case .missing(let side, _): miss(side, of: event.connection, at: event.time, into: &output)
    case .closed:
      end(event.connection, at: event.time, into: &output)
      if let connection = connections.removeValue(forKey: event.connection), case .told = connection.state {
        var event = event
        if let first = connection.firstToEnd { event.kind = .closed(.closed(first: first)) }
        output.append(event)
      }
    }
  }

  private mutating func read(
    _ frame: DecryptedFrame,
    of id: ConnectionID,
    from source: NetworkEndpoint,
    at time: Timestamp,
    into output: inout [StreamEvent]
  ) {
    guard var connection = connections[id] else { return }
    let side = connection.side(of: source)
    if side == .provider, let certificate = frame.certificates.first, connection.opening.identity == nil {
      connection.opening.identity = identity(certificate)
    }
    if let version = frame.version { connection.opening.tlsVersion = Self.name(ofVersion: version) }
    if let suite = frame.cipherSuite { connection.opening.cipher = Self.name(ofSuite: suite) }
    connection.unreadable += frame.unreadable
    if frame.hasClientHello { connection.hasClientHello = true }
    if frame.hasServerHello { connection.hasServerHello = true }
    if frame.hasAlert, connection.firstToEnd == nil { connection.firstToEnd = side }
    let arrived = frame.data.filter { !$0.isEmpty }.map {
      StreamEvent(time: time, connection: id, kind: .bytes(side, $0[...]))
    }
    if case .unknown = connection.state {
      connection.held += arrived
      if !arrived.isEmpty { settle(&connection, into: &output) }
    } else if case .told = connection.state {
      output += arrived
    }
    connections[id] = connection
    guard case .told = connection.state else { return }
    if frame.unreadable > 0, frame.data.isEmpty { miss(side, of: id, at: time, into: &output) }
  }

  /// So many pieces of a connection that says nothing of itself wait for one that does.
  private static let mostHeld = 256

  /// Tells a connection once it is known to be ours: by its port, or by what it says.
  private mutating func settle(_ connection: inout DecryptedConnection, into output: inout [StreamEvent]) {
    guard !connection.opening.isPortKnown else { return tell(&connection, into: &output) }
    switch connection.guess {
    case .undecided where connection.held.count < Self.mostHeld: return
    case .gateway: tell(&connection, into: &output)
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

  private mutating func miss(
    _ side: StreamEvent.Side,
    of id: ConnectionID,
    at time: Timestamp,
    into output: inout [StreamEvent]
  ) {
    guard var connection = connections[id], !connection.broken.contains(side) else { return }
    connection.broken.append(side)
    let event = StreamEvent(time: time, connection: id, kind: .missing(side, count: nil))
    switch connection.state {
    case .unknown: connection.held.append(event)
    case .told: output.append(event)
    case .ignored: break
    }
    connections[id] = connection
  }

  /// A connection that ends without a byte is told when its port says that it is ours and it was no secret.
  private mutating func end(_ id: ConnectionID, at time: Timestamp?, into output: inout [StreamEvent]) {
    guard var connection = connections[id], case .unknown = connection.state else { return }
    if connection.unreadable > 0 {
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
