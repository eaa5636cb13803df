import APNSimCore

/// Puts the plaintext that tshark finds in the place of the TLS records that reassembly found.
///
/// Both read the same file; the frame numbers bring them together. Reassembly knows where connections begin, end and
/// have gaps, tshark knows what was said.
struct Decryption {
  /// What a certificate says of its holder; nil for one that cannot be read.
  typealias IdentityReader = (_ der: [UInt8]) -> ProviderIdentity?

  /// TLS connections whose secrets the key log does not have.
  private(set) var undecryptable = 0
  private(set) var decrypted = 0

  /// What kept tshark from reading to the end.
  var failure: ImportError? { tshark.failure }

  private let tshark: TShark
  private let identity: IdentityReader
  private var ahead: DecryptedFrame?
  private var connections: [ConnectionID: DecryptedConnection] = [:]
  private var ids: [Conversation.Key: ConnectionID] = [:]

  init(_ tshark: TShark, identity: @escaping IdentityReader) throws(ImportError) {
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
    while let frame = ahead, frame.number <= packet.number {
      if frame.number == packet.number, let id = ids[key] {
        read(frame, of: id, from: segment.source, at: events.last?.time ?? packet.time, into: &output)
      }
      ahead = try tshark.next()
    }
    if segment.flags.contains(.fin), let id = ids[key], var connection = connections[id],
      connection.firstToEnd == nil
    {
      connection.firstToEnd = connection.side(of: segment.source)
      connections[id] = connection
    }
    for event in endings { pass(event, into: &output) }
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
    if frame.hasAlert, connection.firstToEnd == nil { connection.firstToEnd = side }
    if case .unknown = connection.state, let first = frame.data.first(where: { !$0.isEmpty }) {
      let bytes = first[...]
      let guess = side == .provider ? Guess(client: bytes, server: []) : Guess(client: [], server: bytes)
      if !connection.opening.isPortKnown, guess == .feedback { connection.opening.listener = .feedback }
      let isOurs = connection.opening.isPortKnown || guess == .gateway || guess == .feedback
      connection.state = isOurs ? .told : .ignored
      if isOurs { tell(connection, into: &output) }
    }
    connections[id] = connection
    guard case .told = connection.state else { return }
    for data in frame.data where !data.isEmpty {
      output.append(StreamEvent(time: time, connection: id, kind: .bytes(side, data[...])))
    }
    if frame.unreadable > 0, frame.data.isEmpty, connection.broken.contains(side) == false {
      miss(side, of: id, at: time, into: &output)
    }
  }

  private mutating func tell(_ connection: DecryptedConnection, into output: inout [StreamEvent]) {
    decrypted += 1
    output.append(
      StreamEvent(time: connection.begin, connection: connection.id, kind: .opened(connection.opening))
    )
    for side in connection.broken {
      output.append(
        StreamEvent(time: connection.begin, connection: connection.id, kind: .missing(side, count: nil))
      )
    }
  }

  private mutating func miss(
    _ side: StreamEvent.Side,
    of id: ConnectionID,
    at time: Timestamp,
    into output: inout [StreamEvent]
  ) {
    guard connections[id]?.broken.contains(side) == false else { return }
    connections[id]?.broken.append(side)
    guard case .told? = connections[id]?.state else { return }
    output.append(StreamEvent(time: time, connection: id, kind: .missing(side, count: nil)))
  }

  /// A connection that ends without a byte is told when its port says that it is ours and it was no secret.
  private mutating func end(_ id: ConnectionID, at time: Timestamp?, into output: inout [StreamEvent]) {
    guard var connection = connections[id], case .unknown = connection.state else { return }
    if connection.unreadable > 0 {
      undecryptable += 1
      connection.state = .ignored
    } else {
      connection.state = connection.opening.isPortKnown ? .told : .ignored
      if connection.opening.isPortKnown { tell(connection, into: &output) }
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
