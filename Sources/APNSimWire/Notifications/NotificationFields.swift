/// The fields of one notification, decoded once where it came in: places over the bytes as sent, and small values.
///
/// It says nothing of how they were written; a frame and a request have the same fields. It holds no bytes and no
/// references, so that it is copied with whatever keeps it. Places are in bytes from the beginning of what was sent.
package struct NotificationFields: BitwiseCopyable, Hashable, Sendable {
  // Everything is stored, in 32 bytes: what another module's type computes costs a call each time.

  /// Seconds since 1970 UTC; 0 when absent. Of a frame the 32 bits as sent: whether they have a sign is a matter of the
  /// edition.
  package var expiry: Int64 = 0
  /// Where the token and the payload are; 0, where none can be, when the notification stopped or broke before them.
  package var tokenStart: UInt32 = 0
  package var payloadStart: UInt32 = 0
  /// `.none` when absent. In a malformed command-2 frame: the first well-formed item 3 that precedes the defect.
  package var identifier: NotificationIdentifier = .none
  /// The lengths in bytes, as declared.
  package var tokenLength: UInt16 = 0
  package var payloadLength: UInt16 = 0
  /// The priority as sent; 0 when absent, which means 10.
  package var priority: UInt8 = 0

  /// Whether a field was seen, up to where the notification stopped or broke. One of length 0 has been seen.
  package var hasToken = false
  package var hasPayload = false
  package var hasIdentifier = false
  package var hasExpiry = false
  package var hasPriority = false

  package init() {}

  /// How many bytes of the token are there: none when the notification stopped or broke before it.
  package var tokenByteCount: Int { tokenStart > 0 ? Int(tokenLength) : 0 }

  /// How many bytes of the payload are there: none when the notification stopped or broke before it.
  package var payloadByteCount: Int { payloadStart > 0 ? Int(payloadLength) : 0 }

  /// Where the token is in what was sent; empty when it is not there.
  package var token: Range<Int> { Int(tokenStart)..<Int(tokenStart) + tokenByteCount }

  /// Where the payload is in what was sent; empty when it is not there.
  package var payload: Range<Int> { Int(payloadStart)..<Int(payloadStart) + payloadByteCount }
}
