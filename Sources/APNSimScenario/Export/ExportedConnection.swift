import APNSimCore

/// A captured connection while it is written as the TCP packets that could have carried it.
struct ExportedConnection {
  private let provider: NetworkEndpoint
  private let service: NetworkEndpoint
  /// Whether the capture has packets of the service; of one that it does not show only bytes and ends are written.
  private let isServiceSeen: Bool
  /// The next sequence number of each side.
  private var providerNext: UInt32
  private var serviceNext: UInt32
  /// What the connection is, until its first packet says so.
  private var pendingComment: String?
  /// The bytes that are missing before the next packet, as a comment says it.
  private var missingComment: String?
  /// How long the hole is that each side's sequence numbers have behind its last bytes.
  private var providerHole = 0
  private var serviceHole = 0

  /// A longer hole looks like a packet of another connection: readers go by how far windows reach.
  private static let longestHole = 32 << 20

  /// SYN options: maximum segment size, and a window scale that lets nobody wait.
  private static let options: [UInt8] = [
    2, 4, UInt8(PacketBytes.segmentSize >> 8), UInt8(truncatingIfNeeded: PacketBytes.segmentSize), 1, 3, 3, 7,
  ]

  init(
    _ connection: CapturedConnection,
    provider: NetworkEndpoint,
    service: NetworkEndpoint,
    isServiceSeen: Bool
  ) {
    self.provider = provider
    self.service = service
    self.isServiceSeen = isServiceSeen
    let topic = connection.provider.topic
    pendingComment =
      "\(connection.id): \(connection.listener.rawValue) connection"
      + (topic.isEmpty ? "" : ", topic \(topic) (\(connection.provider.environment.rawValue))")
      + (connection.provider.subject.isEmpty ? "" : ", certificate \(connection.provider.subject)")
    providerNext = connection.id.rawValue &* 0x9E37_79B1
    serviceNext = connection.id.rawValue &* 0x85EB_CA77
  }

  /// The two ends, so that no two open connections share them.
  var ends: [NetworkEndpoint] { [provider, service] }

  /// The handshake of a connection whose beginning the capture has seen.
  mutating func open(at time: Timestamp, to file: inout PcapngWriter) {
    add(isProvider: true, [.syn], at: time, options: Self.options, to: &file)
    providerNext &+= 1
    if isServiceSeen { add(isProvider: false, [.syn, .ack], at: time, options: Self.options, to: &file) }
    serviceNext &+= 1
    add(isProvider: true, [.ack], at: time, to: &file)
  }

  /// There is no handshake to show.
  mutating func openInside() { pendingComment? += "; the capture begins inside the connection" }

  /// Leaves a hole in the sequence numbers: as many bytes as are known to be missing, or one that stands for them. Of
  /// very many only the comment tells the number.
  mutating func miss(_ count: Int, isProvider: Bool) {
    let room = Self.longestHole - (isProvider ? providerHole : serviceHole)
    let hole = min(max(1, count), room)
    if isProvider {
      providerHole += hole
      providerNext &+= UInt32(truncatingIfNeeded: hole)
    } else {
      serviceHole += hole
      serviceNext &+= UInt32(truncatingIfNeeded: hole)
    }
    missingComment =
      count > 0 ? "\(count) bytes are missing before this" : "bytes are missing, nobody knows how many"
  }

  mutating func close(
    _ reason: ClosingReason,
    byService: Bool,
    at time: Timestamp,
    to file: inout PcapngWriter
  ) {
    switch reason {
    case .reset, .failed:
      // A reset far ahead of all that was said is nobody's: the acknowledgement says that it belongs there.
      if (byService ? serviceHole : providerHole) > 0 {
        acknowledge(isProvider: byService, at: time, to: &file)
      }
      add(isProvider: !byService, [.rst, .ack], at: time, comment: "closed: \(reason.rawValue)", to: &file)
    case .peerClosed: finish(isProviderFirst: true, at: time, to: &file)
    case .simulatorClosed, .timedOut, .drained: finish(isProviderFirst: false, at: time, to: &file)
    }
  }

  mutating func send(
    _ bytes: [UInt8],
    isProvider: Bool,
    at time: Timestamp,
    to file: inout PcapngWriter
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let payload = rest.prefix(PacketBytes.segmentSize)
      rest = rest.dropFirst(PacketBytes.segmentSize)
      add(isProvider: isProvider, rest.isEmpty ? [.psh, .ack] : [.ack], payload, at: time, to: &file)
      let count = UInt32(truncatingIfNeeded: payload.count)
      if isProvider { providerNext &+= count } else { serviceNext &+= count }
    }
    if !bytes.isEmpty {
      acknowledge(isProvider: !isProvider, at: time, to: &file)
      if isProvider { providerHole = 0 } else { serviceHole = 0 }
    }
  }

  private mutating func finish(isProviderFirst first: Bool, at time: Timestamp, to file: inout PcapngWriter) {
    for isProvider in [first, !first] where isProvider || isServiceSeen || !first {
      add(isProvider: isProvider, [.fin, .ack], at: time, to: &file)
      if isProvider { providerNext &+= 1 } else { serviceNext &+= 1 }
    }
    if isServiceSeen { acknowledge(isProvider: first, at: time, to: &file) }
  }

  private mutating func acknowledge(isProvider: Bool, at time: Timestamp, to file: inout PcapngWriter) {
    if isProvider || isServiceSeen { add(isProvider: isProvider, [.ack], at: time, to: &file) }
  }

  private mutating func add(
    isProvider: Bool,
    _ flags: TCPSegment.Flags,
    _ payload: ArraySlice<UInt8> = [],
    at time: Timestamp,
    options: [UInt8] = [],
    comment: String? = nil,
    to file: inout PcapngWriter
  ) {
    let packet = PacketBytes.packet(
      from: isProvider ? provider : service,
      to: isProvider ? service : provider,
      sequence: isProvider ? providerNext : serviceNext,
      acknowledgement: flags.contains(.ack) ? (isProvider ? serviceNext : providerNext) : 0,
      flags: flags,
      options: options,
      payload: payload
    )
    let comments = [pendingComment, missingComment, comment].compactMap { $0 }
    file.add(packet, at: time, comment: comments.isEmpty ? nil : comments.joined(separator: "; "))
    pendingComment = nil
    missingComment = nil
  }
}
