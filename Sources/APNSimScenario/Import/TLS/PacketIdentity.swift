import APNSimCore

/// What tells a TCP packet from the others of a capture, whoever numbers them and however.
struct PacketIdentity: Hashable, Sendable {
  var source: NetworkEndpoint
  var destination: NetworkEndpoint
  var sequence: UInt32
  /// Bytes of the payload on the wire.
  var length: Int
  var time: Timestamp

  init(_ segment: TCPSegment, of packet: CapturedPacket) {
    (source, destination) = (segment.source, segment.destination)
    (sequence, length) = (segment.sequence, segment.payload.count + segment.cutOff)
    time = packet.time
  }

  /// The fields of tshark, in their order; `tcp.seq` has to be asked for as it is on the wire.
  static let fields = [
    "ip.src", "ipv6.src", "tcp.srcport", "ip.dst", "ipv6.dst", "tcp.dstport", "tcp.seq", "tcp.len",
    "frame.time_epoch",
  ]

  /// - Parameter columns: one for each of the fields. In a tunnel an address has several values; the packet's is the last.
  /// - Returns: nil where one is missing, or where the two kinds of addresses stand in one another.
  init?(_ columns: ArraySlice<Substring>) {
    let columns = Array(columns)
    guard columns.count == Self.fields.count,
      let source = Self.endpoint(columns[0], columns[1], columns[2]),
      let destination = Self.endpoint(columns[3], columns[4], columns[5]),
      let sequence = Self.last(columns[6]).flatMap({ UInt32($0) }),
      let length = Self.last(columns[7]).flatMap({ UInt32($0) }), let time = Self.moment(columns[8])
    else { return nil }
    (self.source, self.destination) = (source, destination)
    (self.sequence, self.length, self.time) = (sequence, Int(length), time)
  }

  var key: Conversation.Key { Conversation.Key(source, destination) }

  /// Whether they are the same but for the time, as the copies of a repeated packet are.
  func isSameSegment(as other: PacketIdentity) -> Bool {
    var copy = other
    copy.time = time
    return self == copy
  }

  private static func last(_ column: Substring) -> Substring? { column.split(separator: ",").last }

  private static func endpoint(_ ipv4: Substring, _ ipv6: Substring, _ port: Substring) -> NetworkEndpoint? {
    guard let port = last(port) else { return nil }
    return switch (last(ipv4), last(ipv6)) {
    case (let address?, nil): NetworkEndpoint("\(address):\(port)")
    case (nil, let address?): NetworkEndpoint("[\(address)]:\(port)")
    default: nil
    }
  }

  /// `1338508800.222081000`, rounded down to milliseconds as the packets' own times are.
  private static func moment(_ text: Substring) -> Timestamp? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = parts.first.flatMap({ Int64($0) }), seconds >= 0 else { return nil }
    let digits = parts.count > 1 ? parts[1].prefix(3) : ""
    let padded = digits + String(repeating: "0", count: 3 - digits.count)
    guard let milliseconds = UInt16(padded) else { return nil }
    return Timestamp(seconds: seconds) + TimeSpan(milliseconds: Int64(milliseconds))
  }
}
