internal import APNSimCore
internal import DequeModule

/// Puts fragmented IP packets together, in whatever order their parts come, within bounds.
///
/// Of two copies of a byte the first wins. A packet of which parts are missing is given up after the time that RFC 8200,
/// section 4.5 gives a receiver, or when too many others wait.
package struct FragmentTable {
  /// Packets whose parts were all there.
  private(set) var completed = 0
  /// Parts of packets that were given up.
  private(set) var leftOver = 0
  private var packets: [IPFragment.Key: FragmentedPacket] = [:]
  /// The keys of the packets in the order in which these were begun.
  private(set) var order: Deque<IPFragment.Key> = []

  /// Packets at once; each is 64 KiB at most.
  private static let most = 256
  private static let patience = TimeSpan.seconds(60)
  private static let longest = 65_535

  package init() {}

  /// Takes what a packet holds, and gives the segment instead of the part that completes it.
  package mutating func take(_ content: PacketContent) -> PacketContent {
    guard case .fragment(let fragment) = content else { return content }
    return receive(fragment).map { .segment($0) } ?? content
  }

  /// Gives up whatever is not complete.
  package mutating func finish() {
    while !order.isEmpty { dropOldest() }
  }

  private mutating func receive(_ fragment: IPFragment) -> TCPSegment? {
    // Taken out, it is changed in place.
    var packet = takeBegun(fragment)
    defer { packets[fragment.key] = packet }
    guard !packet.isDone else { return nil }
    packet.parts += 1
    let range = fragment.offset..<fragment.offset + fragment.bytes.count
    if range.upperBound <= Self.longest {
      packet.add(fragment.bytes, range)
      if fragment.isLast, packet.end == nil { packet.end = range.upperBound }
    }
    var segment: TCPSegment?
    if let end = packet.end, let first = packet.present.first, first.lowerBound == 0, first.upperBound >= end
    {
      let key = fragment.key
      let bytes = packet.bytes[..<end]
      let content = PacketContent.tcp(
        bytes,
        length: end,
        at: fragment.time,
        from: key.source,
        to: key.destination
      )
      if case .segment(let found) = content { segment = found }
      (packet.isDone, packet.bytes, packet.present) = (true, [], [])
      completed += 1
    }
    return segment
  }

  /// What there is of a fragment's packet, which is not in the table until it is put back.
  private mutating func takeBegun(_ fragment: IPFragment) -> FragmentedPacket {
    if let known = packets.removeValue(forKey: fragment.key) {
      if fragment.time - known.begun <= Self.patience { return known }
      giveUp(known)
      order.removeAll { $0 == fragment.key }
    }
    if order.count >= Self.most { dropOldest() }
    order.append(fragment.key)
    return FragmentedPacket(begun: fragment.time)
  }

  private mutating func dropOldest() {
    if let packet = order.popFirst().flatMap({ packets.removeValue(forKey: $0) }) { giveUp(packet) }
  }

  private mutating func giveUp(_ packet: FragmentedPacket) { if !packet.isDone { leftOver += packet.parts } }
}
