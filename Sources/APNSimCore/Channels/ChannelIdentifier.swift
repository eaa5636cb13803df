import APNSimWire

/// Identifiers of channels: Base64 of the 16 bytes of a time-based UUID (RFC 9562, 5.1) with the clock sequence 0, which
/// is what the one identifier looks like that is known of the live service.
struct ChannelIdentifiers {
  /// The time that the last one has, in steps of 100 ns.
  private var last: UInt64 = 0
  /// The steps from the beginning of the Gregorian calendar, 1582-10-15, to 1970.
  private static let epoch: UInt64 = 0x01B2_1DD2_1381_4000

  /// An identifier that none before it has.
  /// - Parameter node: random bits.
  mutating func next(at now: Timestamp, node: UInt64) -> String {
    let steps = UInt64(clamping: now.rawValue).multipliedReportingOverflow(by: 10_000).partialValue
    last = max(Self.epoch &+ steps, last &+ 1)
    let (low, middle, high) = (last & 0xFFFF_FFFF, last >> 32 & 0xFFFF, last >> 48 & 0x0FFF | 0x1000)
    let first = low << 32 | middle << 16 | high
    let second = node & 0xFFFF_FFFF_FFFF
    return Base64.encode(
      [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
      }
    )
  }
}

extension ChannelIdentifiers: KeptByMembers {
  static let members = Members(Self.init, \.last)
}
