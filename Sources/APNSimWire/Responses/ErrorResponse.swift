/// The error response, the only message of a gateway: six bytes, sent at most once, just before it closes the
/// connection.
///
/// ```text
///  0         1         2                             6
/// +---------+---------+---------+---------+---------+---------+
/// | 08      | status  | identifier, the provider's four bytes |
/// +---------+---------+---------+---------+---------+---------+
/// ```
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, Figure 5-3 and Table 5-1.
public struct ErrorResponse: Hashable, Sendable {
  public var status: StatusCode
  public var identifier: NotificationIdentifier

  public static let command: UInt8 = 8
  public static let byteCount = 6

  public init(status: StatusCode, identifier: NotificationIdentifier) {
    self.status = status
    self.identifier = identifier
  }

  /// Decodes exactly six bytes that begin with command 8; nil for anything else.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.byteCount, bytes[0] == Self.command else { return nil }
    status = StatusCode(rawValue: bytes[1])
    identifier = NotificationIdentifier(rawValue: bytes[2...].reduce(0) { $0 << 8 | UInt32($1) })
  }

  public var bytes: [UInt8] {
    [Self.command, status.rawValue] + identifier.bytes
  }
}
