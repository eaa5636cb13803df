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

  /// The fields that were seen: a bit for each, numbered like the items of command 2.
  package struct Fields: OptionSet, BitwiseCopyable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let token = Fields(rawValue: 1 << 1)
    package static let payload = Fields(rawValue: 1 << 2)
    package static let identifier = Fields(rawValue: 1 << 3)
    package static let expiry = Fields(rawValue: 1 << 4)
    package static let priority = Fields(rawValue: 1 << 5)
  }

  package var form: Form
  /// `.none` unless the frame is malformed.
  package var defect: FrameDefect = .none
  /// The first byte, whatever it was.
  package var command: UInt8
  /// Seen in the frame, up to where it stopped or broke. A field or item of length 0 has been seen.
  package var fields: Fields = []
  /// The priority byte as sent; 0 when absent, which means 10.
  package var priority: UInt8 = 0
  /// Seconds since 1970 UTC as sent; 0 when absent.
  package var expiry: UInt32 = 0
  /// `.none` when absent. In a malformed command-2 frame: the first well-formed item 3 that precedes the defect.
  package var identifier: NotificationIdentifier = .none

  /// Where the frame begins, in the buffer given to the decoder.
  package var start: Int
  /// Just after the frame; just after the length field or command byte that decided, where one did.
  package var end: Int
  /// Where the defect lies; equal to ``start`` when there is none.
  package var defectOffset: Int

  /// The lengths in bytes, as declared.
  package var tokenLength: Int = 0
  package var payloadLength: Int = 0
  // The ends of the two ranges, for `token` and `payload`: `Range` itself is not `BitwiseCopyable`.
  @usableFromInline var tokenStart = 0
  @usableFromInline var tokenEnd = 0
  @usableFromInline var payloadStart = 0
  @usableFromInline var payloadEnd = 0

  package init(_ form: Form, command: UInt8, start: Int, end: Int) {
    self.form = form
    self.command = command
    self.start = start
    self.end = end
    defectOffset = start
  }

  /// Where the token is; empty when the frame stopped or broke before it.
  package var token: Range<Int> {
    @inlinable @inline(__always) get { Range(uncheckedBounds: (tokenStart, tokenEnd)) }
    @inlinable @inline(__always) set { (tokenStart, tokenEnd) = (newValue.lowerBound, newValue.upperBound) }
  }

  /// Where the payload is; empty when the frame stopped or broke before it.
  package var payload: Range<Int> {
    @inlinable @inline(__always) get { Range(uncheckedBounds: (payloadStart, payloadEnd)) }
    @inlinable @inline(__always) set {
      (payloadStart, payloadEnd) = (newValue.lowerBound, newValue.upperBound)
    }
  }

  @inlinable package var hasToken: Bool { fields.contains(.token) }
  @inlinable package var hasPayload: Bool { fields.contains(.payload) }
  @inlinable package var hasIdentifier: Bool { fields.contains(.identifier) }
  @inlinable package var hasExpiry: Bool { fields.contains(.expiry) }
  @inlinable package var hasPriority: Bool { fields.contains(.priority) }
}
