/// What is of one frame and of no other form of a notification: where it begins and ends, and whether it is one.
package struct FrameEnvelope: BitwiseCopyable, Hashable, Sendable {
  package enum Form: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// Everything declared is there.
    case complete
    /// Commands 0 and 1 while judging: a declared length decided, and the bytes it declares were not waited for.
    case stopped
    /// Not a frame; see ``FrameEnvelope/defect``.
    case malformed
  }

  // Everything is stored, in 32 bytes: what another module's type computes costs a call each time.

  package var form: Form
  /// `.none` unless the frame is malformed.
  package var defect: FrameDefect = .none
  /// The first byte, whatever it was.
  package var command: UInt8
  /// Where the frame begins, in the buffer given to the decoder.
  package var start: Int
  /// Just after the frame; just after the length field or command byte that decided, where one did.
  package var end: Int
  /// Where the defect lies; equal to ``start`` when there is none.
  package var defectOffset: Int

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
}
