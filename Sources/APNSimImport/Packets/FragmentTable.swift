import APNSimCapture
package import APNSimCore
import DequeModule

/// Reassembles fragmented IP packets from parts in any order, within bounds.
///
/// The first of two copies of a byte wins. A packet with missing parts is given up after the time that RFC 8200,
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

  /// Takes a fragment's packet out of the table, or begins one; the caller puts it back.
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

/// An IP packet of which some parts have come.
struct FragmentedPacket {
  var begun: Timestamp
  var parts = 0
  var bytes: [UInt8] = []
  /// The ranges of bytes that have come: in order, none touching the next.
  var present: [Range<Int>] = []
  var end: Int?
  /// True once it was put together; late copies of its parts are ignored.
  var isDone = false

  /// Keeps the bytes of a range that are not there yet.
  mutating func add(_ new: ArraySlice<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if bytes.count < range.upperBound {
      bytes += [UInt8](repeating: 0, count: range.upperBound - bytes.count)
    }
    let first = present.partitioningIndex { $0.upperBound >= range.lowerBound }
    var (next, place, joined) = (first, range.lowerBound, range)
    while next < present.count, present[next].lowerBound <= range.upperBound {
      let known = present[next]
      if place < known.lowerBound { put(new, range.lowerBound, place..<known.lowerBound) }
      place = max(place, known.upperBound)
      joined = min(joined.lowerBound, known.lowerBound)..<max(joined.upperBound, known.upperBound)
      next += 1
    }
    if place < range.upperBound { put(new, range.lowerBound, place..<range.upperBound) }
    present.replaceSubrange(first..<next, with: CollectionOfOne(joined))
  }

  private mutating func put(_ new: ArraySlice<UInt8>, _ start: Int, _ range: Range<Int>) {
    let from = new.startIndex - start
    bytes.replaceSubrange(range, with: new[range.lowerBound + from..<range.upperBound + from])
  }
}

/// A part of a fragmented IP packet that carries TCP (RFC 791, section 3.2; RFC 8200, section 4.5).
package struct IPFragment: Sendable {
  /// The identity that the parts of one packet share; the endpoints are addresses, without ports.
  package struct Key: Hashable, Sendable {
    package var source: NetworkEndpoint
    package var destination: NetworkEndpoint
    package var identification: UInt32
  }

  package var key: Key
  package var time: Timestamp
  /// The offset of its bytes after the IP header, and whether it is the last part.
  package var offset: Int
  package var isLast: Bool
  package var bytes: ArraySlice<UInt8>
}
