/// The part of a frame that no other form of a notification has: command, bounds, form and defect.
package struct FrameEnvelope: BitwiseCopyable, Hashable, Sendable {
  package enum Form: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// All bytes that the frame declares are there.
    case complete
    /// Commands 0 and 1 while judging: a declared length was refused, and the bytes it declares were not waited for.
    case stopped
    /// The bytes are not a frame; see ``FrameEnvelope/defect``.
    case malformed
  }

  // All properties are stored, in 32 bytes: a computed property of another module costs a call each time.

  package var form: Form
  /// `.none` unless the frame is malformed.
  package var defect: FrameDefect = .none
  /// The first byte as sent.
  package var command: UInt8
  /// The offset of the frame's first byte in the buffer given to the decoder.
  package var start: Int
  /// The offset after the frame, or after the length field or command byte on which it was refused.
  package var end: Int
  /// The offset of the defect; equal to ``start`` when there is none.
  package var defectOffset: Int

  package init(_ form: Form, command: UInt8, start: Int, end: Int) {
    self.form = form
    self.command = command
    self.start = start
    self.end = end
    defectOffset = start
  }

  /// True if the next frame begins at ``end``: an unknown command or an impossible length leaves that open.
  package var hasEnd: Bool {
    switch defect {
    case .unknownCommand, .emptyFrame, .frameTooLong: false
    case .none, .itemOverrun, .strayBytes, .duplicateItem, .unknownItem, .wrongItemLength: true
    }
  }
}
