/// One tuple of the feedback service: a device that no longer has the app, and since when.
///
/// ```text
///  0                   4         6
/// +----+----+----+----+----+----+----+-- - - --+
/// | timestamp, u32    | length  | device token |
/// +----+----+----+----+----+----+----+-- - - --+
/// ```
///
/// Both integers are big endian, so a tuple with a token of 32 bytes has 38.
/// Source: Local and Push Notification Programming Guide 2011-08-09, Figure 5-4.
public struct FeedbackTuple: Hashable, Sendable {
  /// Seconds since 1970 UTC at which APNs determined that the app was gone; not when the provider last sent.
  /// Unsigned: it reaches to 2106.
  public var timestamp: UInt32
  public var token: [UInt8]

  /// The length of the fields before the token, in bytes.
  package static let headerByteCount = 6

  public init(timestamp: UInt32, token: [UInt8]) {
    self.timestamp = timestamp
    self.token = token
  }

  /// Appends the tuple to `output`. A token of more than 65,535 bytes cannot be declared and is cut there.
  public func encode(into output: inout [UInt8]) {
    output.append(bigEndian: timestamp)
    output.append(lengthPrefixed: token)
  }

  /// Decodes the tuple that starts at `offset` and returns the offset after it; nil while the tuple is incomplete.
  package static func decode(
    _ buffer: UnsafeRawBufferPointer,
    from offset: Int = 0
  ) -> (tuple: FeedbackTuple, end: Int)? {
    guard offset >= 0, buffer.count - offset >= headerByteCount else { return nil }
    let length = Int(buffer.bigEndian(UInt16.self, at: offset + 4))
    let start = offset + headerByteCount
    guard buffer.count - start >= length else { return nil }
    let tuple = FeedbackTuple(
      timestamp: buffer.bigEndian(UInt32.self, at: offset),
      token: Array(buffer[start..<start + length])
    )
    return (tuple, start + length)
  }
}
