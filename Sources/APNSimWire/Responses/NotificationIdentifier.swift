/// The four bytes by which a provider recognises its notification in an error response.
///
/// They are opaque. The guide's own Listing 5-2 copies the integer 1234 without `htonl`, so that an x86 provider
/// sends `d2 04 00 00`; reading the bytes big endian here and writing them big endian again echoes them verbatim,
/// which is all the gateway promises.
public struct NotificationIdentifier: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// The four bytes, read big endian.
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The value that the gateway echoes when no identifier is known. A provider that counts from 0 cannot tell it from
  /// its first notification.
  public static let none = NotificationIdentifier(rawValue: 0)

  /// Reads exactly eight hexadecimal digits of either case.
  public init?(hex: String) {
    guard let bytes = Hex.decode(hex), bytes.count == 4 else { return nil }
    self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// The four bytes in wire order, as eight lower-case digits.
  public var hex: String {
    withUnsafeBytes(of: rawValue.bigEndian) { Hex.encode($0) }
  }

  /// The four bytes in wire order.
  public var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }
}

extension NotificationIdentifier: CustomStringConvertible {
  public var description: String { hex }
}
