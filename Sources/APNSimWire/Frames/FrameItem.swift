/// One item of a command-2 frame, as a range over the buffer it was read from.
package struct FrameItem: BitwiseCopyable, Hashable, Sendable {
  /// 1 device token, 2 payload, 3 notification identifier, 4 expiration date, 5 priority (Binary Provider API,
  /// Table A-3); anything else is unknown.
  package var id: UInt8
  /// Where its header, the identifier byte, is.
  package var offset: Int
  /// The length in bytes, as declared.
  package var length: Int
  private var dataEnd: Int

  package init(id: UInt8, offset: Int, length: Int, dataEnd: Int) {
    self.id = id
    self.offset = offset
    self.length = length
    self.dataEnd = dataEnd
  }

  /// The bytes before the data.
  package static let headerByteCount = 3

  /// Where the data is: as much of it as the frame has, which is less than ``length`` when it runs past the end.
  package var data: Range<Int> { offset + Self.headerByteCount..<dataEnd }
}
