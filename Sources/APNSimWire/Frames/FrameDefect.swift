/// The reason why bytes are not a notification frame.
///
/// Defects are of framing, not of values: a token of 31 bytes or a payload of 5,000 is well framed, and judged later.
package enum FrameDefect: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case none
  /// The first byte is not a command that is understood here.
  case unknownCommand
  /// A command-2 frame that declares a length of 0.
  case emptyFrame
  /// A command-2 frame that declares more than the limit.
  case frameTooLong
  /// An item declares more bytes than its frame has left.
  case itemOverrun
  /// One or two bytes after the last item: too few for an item's header.
  case strayBytes
  /// An item that occurs in the frame a second time ("exactly one", Binary Provider API, Table A-3).
  case duplicateItem
  /// An item identifier other than 1 to 5.
  case unknownItem
  /// An identifier or expiration that is not 4 bytes, or a priority that is not 1.
  case wrongItemLength

  /// The defect as a clause for logs and explanations.
  package var summary: String {
    switch self {
    case .none: "well framed"
    case .unknownCommand: "unknown command byte"
    case .emptyFrame: "frame length is 0"
    case .frameTooLong: "frame length exceeds the limit"
    case .itemOverrun: "item runs past the end of its frame"
    case .strayBytes: "stray bytes after the last item"
    case .duplicateItem: "item appears twice"
    case .unknownItem: "unknown item identifier"
    case .wrongItemLength: "item has the wrong length"
    }
  }
}
