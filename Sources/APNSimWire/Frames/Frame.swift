/// One notification frame, as ranges over the buffer it was read from.
///
/// It holds no bytes and no references, so that the hot path neither copies nor counts. It says what was sent, not
/// whether it was right: malformed input is an ordered value among the others, because everything before it stands
/// and everything after it is discarded.
package struct Frame: BitwiseCopyable, Hashable, Sendable {
  package enum Form: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// Everything declared is there.
    case complete
    /// Commands 0 and 1 while judging: a declared length decided, and the bytes it declares were not waited for.
    case stopped
    /// Not a frame; see ``Frame/defect``.
    case malformed
  }

  // Everything is stored, in 64 bytes: what another module's type computes costs a call each time.

  package var form: Form
  /// `.none` unless the frame is malformed.
  package var defect: FrameDefect = .none
  /// The first byte, whatever it was.
  package var command: UInt8
  /// The priority byte as sent; 0 when absent, which means 10.
  package var priority: UInt8 = 0
  /// Seconds since 1970 UTC as sent; 0 when absent.
  package var expiry: UInt32 = 0
  /// `.none` when absent. In a malformed command-2 frame: the first well-formed item 3 that precedes the defect.
  package var identifier: NotificationIdentifier = .none

  /// The lengths in bytes, as declared.
  package var tokenLength: UInt16 = 0
  package var payloadLength: UInt16 = 0

  /// Where the frame begins, in the buffer given to the decoder.
  package var start: Int
  /// Just after the frame; just after the length field or command byte that decided, where one did.
  package var end: Int
  /// Where the defect lies; equal to ``start`` when there is none.
  package var defectOffset: Int
  /// Where the token and the payload are; 0, where none can be, when the frame stopped or broke before them.
  package var tokenStart = 0
  package var payloadStart = 0

  /// Whether a field was seen, up to where the frame stopped or broke. A field or item of length 0 has been seen.
  package var hasToken = false
  package var hasPayload = false
  package var hasIdentifier = false
  package var hasExpiry = false
  package var hasPriority = false

  package init(_ form: Form, command: UInt8, start: Int, end: Int) {
    self.form = form
    self.command = command
    self.start = start
    self.end = end
    defectOffset = start
  }

  /// Whether it says where the next frame begins: an unknown command and a length that cannot be right do not.
  package var hasEnd: Bool {
    switch defect {
    case .unknownCommand, .emptyFrame, .frameTooLong: false
    case .none, .itemOverrun, .strayBytes, .duplicateItem, .unknownItem, .wrongItemLength: true
    }
  }

  /// Where the token is; empty when the frame stopped or broke before it.
  package var token: Range<Int> { tokenStart..<tokenStart + (tokenStart > 0 ? Int(tokenLength) : 0) }

  /// Where the payload is; empty when the frame stopped or broke before it.
  package var payload: Range<Int> {
    payloadStart..<payloadStart + (payloadStart > 0 ? Int(payloadLength) : 0)
  }
}
