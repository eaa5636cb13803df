/// The fields of one notification, decoded once by its interface: ranges over the bytes as sent, and small values.
///
/// The fields do not depend on their encoding: a frame and a request have the same. They hold no bytes and no
/// references, so that they are copied with their owner. Offsets are in bytes from the beginning of the notification
/// as sent.
package struct NotificationFields: BitwiseCopyable, Hashable, Sendable {
  // All properties are stored, in 32 bytes: a computed property of another module costs a call each time.

  /// The expiration date in seconds since 1970 UTC; 0 when absent. For a frame it is the 32 bits as sent: the edition
  /// decides whether they have a sign.
  package var expiry: Int64 = 0
  /// The offsets of the token and the payload; 0, which no field can have, when the notification stopped or broke
  /// before them.
  package var tokenStart: UInt32 = 0
  package var payloadStart: UInt32 = 0
  /// `.none` when absent. In a malformed command-2 frame: the first well-formed item 3 that precedes the defect.
  package var identifier: NotificationIdentifier = .none
  /// The lengths in bytes, as declared.
  package var tokenLength: UInt16 = 0
  package var payloadLength: UInt16 = 0
  /// The priority as sent; 0 when absent, which means 10.
  package var priority: UInt8 = 0

  /// True if the field was seen before the notification stopped or broke. A field of length 0 counts as seen.
  package var hasToken = false
  package var hasPayload = false
  package var hasIdentifier = false
  package var hasExpiry = false
  package var hasPriority = false
  /// Two bytes of room. A copy of 30 bytes is made of two halves that overlap, and reading it waits for both.
  private var room: UInt16 = 0

  package init() {}

  /// The number of bytes of the token that are there; 0 when the notification stopped or broke before it.
  package var tokenByteCount: Int { tokenStart > 0 ? Int(tokenLength) : 0 }

  /// The number of bytes of the payload that are there; 0 when the notification stopped or broke before it.
  package var payloadByteCount: Int { payloadStart > 0 ? Int(payloadLength) : 0 }

  /// The range of the token in the notification as sent; empty when it is not there.
  package var token: Range<Int> { Int(tokenStart)..<Int(tokenStart) + tokenByteCount }

  /// The range of the payload in the notification as sent; empty when it is not there.
  package var payload: Range<Int> { Int(payloadStart)..<Int(payloadStart) + payloadByteCount }
}
