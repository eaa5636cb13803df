import APNSimCapture
import APNSimCore
import APNSimWire

/// A captured connection during export, as the TCP packets that could have carried it.
struct ExportedConnection {
  /// One of its two ends, with its state.
  private struct End {
    let endpoint: NetworkEndpoint
    /// Its next sequence number.
    var next: UInt32
    /// The length of the hole in its sequence numbers after its last bytes.
    var hole = 0
    /// The bytes that are missing before its next packet.
    var missing: MissingBytes?
  }

  private struct MissingBytes {
    /// The known number.
    var count = 0
    /// True where there are others, of unknown number.
    var hasMore = false

    mutating func add(_ more: Int) { if more > 0 { count.add(saturating: more) } else { hasMore = true } }

    /// For a packet's comment.
    var text: String { text("before this") }

    func text(_ place: String) -> String {
      count == 0
        ? "bytes are missing, nobody knows how many"
        : "\(hasMore ? "at least " : "")\(count) bytes are missing \(place)"
    }
  }

  private var provider: End
  private var service: End
  /// True where the capture has packets of the service; of one that it does not show only bytes and ends are written.
  private let isServiceSeen: Bool
  /// The description of the connection, until its first packet carries it as a comment.
  private var pendingComment: String?

  /// The longest hole: readers take a packet beyond any window for one of another connection.
  private static let longestHole = 32 << 20

  /// SYN options: maximum segment size, and a window scale that lets nobody wait.
  private static let options: [UInt8] = [
    2, 4, UInt8(PacketBytes.segmentSize >> 8), UInt8(truncatingIfNeeded: PacketBytes.segmentSize), 1, 3, 3, 7,
  ]

  /// - Parameter number: a number that no other connection of the file has. The sequence numbers are made from it, so
  /// that
  /// connections that follow each other on the same ports can be distinguished.
  init(
    _ connection: CapturedConnection,
    number: UInt32,
    provider: NetworkEndpoint,
    service: NetworkEndpoint,
    isServiceSeen: Bool
  ) {
    self.provider = End(endpoint: provider, next: number &* 0x9E37_79B1)
    self.service = End(endpoint: service, next: number &* 0x85EB_CA77)
    self.isServiceSeen = isServiceSeen
    let topic = connection.provider.topic
    pendingComment =
      "\(connection.id): \(connection.listener.rawValue) connection"
      + (topic.isEmpty ? "" : ", topic \(topic) (\(connection.provider.environment.rawValue))")
      + (connection.provider.subject.isEmpty ? "" : ", certificate \(connection.provider.subject)")
  }

  private subscript(side: StreamEvent.Side) -> End {
    get { side == .provider ? provider : service }
    set { if side == .provider { provider = newValue } else { service = newValue } }
  }

  /// The two ends, which no two open connections share.
  var ends: [NetworkEndpoint] { [provider.endpoint, service.endpoint] }

  /// The handshake of a connection whose beginning the capture has seen.
  mutating func open(at time: Timestamp, to file: inout PcapngWriter) {
    add(.provider, [.syn], at: time, to: &file)
    provider.next &+= 1
    if isServiceSeen { add(.service, [.syn, .ack], at: time, to: &file) }
    service.next &+= 1
    add(.provider, [.ack], at: time, to: &file)
  }

  /// Begins a connection without a handshake.
  mutating func openInside() { pendingComment? += "; the capture begins inside the connection" }

  /// Leaves a hole in the sequence numbers: the known number of missing bytes, or one in place of an unknown number. A
  /// very large number stands only in the comment.
  mutating func miss(_ count: Int, from side: StreamEvent.Side) {
    let hole = min(max(1, count), Self.longestHole - self[side].hole)
    self[side].hole += hole
    self[side].next &+= UInt32(truncatingIfNeeded: hole)
    self[side].missing = self[side].missing ?? MissingBytes()
    self[side].missing?.add(count)
  }

  /// Ends the connection. Missing bytes after a side's last ones end in a packet without its data: an acknowledgement
  /// with the sequence number after them could as well follow a FIN.
  mutating func end(at time: Timestamp, to file: inout PcapngWriter) {
    for side in [StreamEvent.Side.provider, .service] where self[side].hole > 0 {
      let count = min(self[side].hole, PacketBytes.segmentSize)
      let missing = self[side].missing?.text("up to here")
      self[side].missing = nil
      self[side].next &-= UInt32(truncatingIfNeeded: count)
      let data = [UInt8](repeating: 0, count: count)
      add(side, [.psh, .ack], data[...], cutOff: count, at: time, comment: missing, to: &file)
      self[side].next &+= UInt32(truncatingIfNeeded: count)
      self[side].hole = 0
    }
  }

  mutating func close(
    _ reason: ClosingReason,
    byService: Bool,
    at time: Timestamp,
    to file: inout PcapngWriter
  ) {
    switch reason {
    case .reset, .failed:
      let side: StreamEvent.Side = byService ? .service : .provider
      // A reset far ahead of all that was said is nobody's: the acknowledgement says that it belongs there. It also has
      // the comment of what is missing on its own side.
      if provider.hole > 0 || service.hole > 0 { acknowledge(from: side.other, at: time, to: &file) }
      add(side, [.rst, .ack], at: time, comment: "closed: \(reason.rawValue)", to: &file)
    case .peerClosed: finish(first: .provider, at: time, to: &file)
    case .simulatorClosed, .timedOut, .drained, .simulatorKilled:
      finish(first: .service, at: time, to: &file)
    }
  }

  mutating func send(
    _ bytes: [UInt8],
    from side: StreamEvent.Side,
    at time: Timestamp,
    to file: inout PcapngWriter
  ) {
    guard !bytes.isEmpty else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      let payload = rest.prefix(PacketBytes.segmentSize)
      rest = rest.dropFirst(PacketBytes.segmentSize)
      add(side, rest.isEmpty ? [.psh, .ack] : [.ack], payload, at: time, to: &file)
      self[side].next &+= UInt32(truncatingIfNeeded: payload.count)
    }
    acknowledge(from: side.other, at: time, to: &file)
    self[side].hole = 0
  }

  private mutating func finish(first: StreamEvent.Side, at time: Timestamp, to file: inout PcapngWriter) {
    for side in [first, first.other] where side == .provider || isServiceSeen || first == .service {
      add(side, [.fin, .ack], at: time, to: &file)
      self[side].next &+= 1
    }
    if isServiceSeen { acknowledge(from: first, at: time, to: &file) }
  }

  private mutating func acknowledge(
    from side: StreamEvent.Side,
    at time: Timestamp,
    to file: inout PcapngWriter
  ) {
    if side == .provider || isServiceSeen { add(side, [.ack], at: time, to: &file) }
  }

  private mutating func add(
    _ side: StreamEvent.Side,
    _ flags: TCPSegment.Flags,
    _ payload: ArraySlice<UInt8> = [],
    cutOff: Int = 0,
    at time: Timestamp,
    comment: String? = nil,
    to file: inout PcapngWriter
  ) {
    let (own, other) = (self[side], self[side.other])
    let packet = PacketBytes.packet(
      from: own.endpoint,
      to: other.endpoint,
      sequence: own.next,
      acknowledgement: flags.contains(.ack) ? other.next : 0,
      flags: flags,
      options: flags.contains(.syn) ? Self.options : [],
      payload: payload
    )
    let comments = [pendingComment, own.missing?.text, comment].compactMap { $0 }
    let text = comments.isEmpty ? nil : comments.joined(separator: "; ")
    file.add(packet, cutOff: cutOff, at: time, comment: text)
    pendingComment = nil
    self[side].missing = nil
  }
}

extension StreamEvent.Side {
  fileprivate var other: Self { self == .provider ? .service : .provider }
}
