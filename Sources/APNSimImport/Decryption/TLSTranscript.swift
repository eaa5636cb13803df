import APNSimCore

/// The TLS streams that reassembly found, as packets for tshark to decrypt.
///
/// They have no gaps, copies or swaps left, and their sequence numbers begin at 1: tshark loses a record where they turn
/// over. Each connection has an address of its own, whatever it had on the wire. Readings of the same streams give the
/// same packets, so that the number of one is enough to say which it is.
struct TLSTranscript {
  struct Packet {
    var connection: ConnectionID
    var side: StreamEvent.Side
    var time: Timestamp
    var sequence: UInt32
    var acknowledgement: UInt32
    var payload: ArraySlice<UInt8>

    var bytes: [UInt8] {
      let provider = NetworkEndpoint(ipv4: connection.rawValue, port: 50_000)
      let service = NetworkEndpoint(ipv4: 0xC000_0201, port: TLSTranscript.port)
      return PacketBytes.packet(
        from: side == .provider ? provider : service,
        to: side == .provider ? service : provider,
        sequence: sequence,
        acknowledgement: acknowledgement,
        flags: [.psh, .ack],
        payload: payload
      )
    }
  }

  /// The port of all services.
  static let port: UInt16 = 2195
  /// Bytes of a packet at most: with its headers it is shorter than 64 KiB.
  private static let mostBytes = 32 * 1024

  private struct Direction {
    var next: UInt32 = 1
    /// True once something is missing after what was sent: the rest cannot be decrypted.
    var isCut = false
  }

  private var provider: [ConnectionID: Direction] = [:]
  private var service: [ConnectionID: Direction] = [:]
  /// The number of packets so far.
  private(set) var packets = 0

  /// Takes what comes next of a connection.
  /// - Parameter write: takes the packets that it makes.
  /// - Returns: true where the event is in the transcript whole.
  @discardableResult
  mutating func add(_ event: StreamEvent, _ write: (Packet) -> Void = { _ in }) -> Bool {
    let id = event.connection
    switch event.kind {
    case .opened(let opening) where opening.isTLS: (provider[id], service[id]) = (Direction(), Direction())
    case .opened: break
    case .closed: (provider[id], service[id]) = (nil, nil)
    case .missing(.provider, _): return Self.cut(&provider[id])
    case .missing(.service, _): return Self.cut(&service[id])
    case .bytes(let side, let bytes):
      var own = side == .provider ? provider[id] : service[id]
      let other = side == .provider ? service[id] : provider[id]
      guard own?.isCut == false, let acknowledgement = other?.next else { return false }
      defer { if side == .provider { provider[id] = own } else { service[id] = own } }
      var rest = bytes
      while !rest.isEmpty, let sequence = own?.next {
        let payload = rest.prefix(Self.mostBytes)
        let (next, isOver) = sequence.addingReportingOverflow(UInt32(payload.count))
        if isOver { return Self.cut(&own) }
        own?.next = next
        rest = rest.dropFirst(Self.mostBytes)
        packets += 1
        write(
          Packet(
            connection: id,
            side: side,
            time: event.time,
            sequence: sequence,
            acknowledgement: acknowledgement,
            payload: payload
          )
        )
      }
    }
    return true
  }

  /// A gap at the beginning of a direction is harmless: decryption may begin after it.
  private static func cut(_ direction: inout Direction?) -> Bool {
    guard let next = direction?.next, next > 1 else { return true }
    direction?.isCut = true
    return false
  }
}
