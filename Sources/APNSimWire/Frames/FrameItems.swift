/// One item of a command-2 frame, as a range over the buffer it was read from.
package struct FrameItem: BitwiseCopyable, Hashable, Sendable {
  /// 1 device token, 2 payload, 3 notification identifier, 4 expiration date, 5 priority (Binary Provider API,
  /// Table A-3); anything else is unknown.
  package var id: UInt8
  /// The offset of its header, which begins with the identifier byte.
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

  /// The length of an item's header, in bytes.
  package static let headerByteCount = 3

  /// The range of the data, as far as the frame has it: shorter than ``length`` when the item runs past the frame's
  /// end.
  package var data: Range<Int> { offset + Self.headerByteCount..<dataEnd }
}

/// The items of a command-2 frame in wire order, as they were sent: duplicates, unknown ones and wrong lengths
/// included. For showing or replaying a frame rather than judging it.
///
/// The sequence ends at the frame's end, at the first item that runs past it, or before one or two stray bytes.
package struct FrameItems: Sequence {
  private let buffer: UnsafeRawBufferPointer
  private let range: Range<Int>

  /// `frame` must come from `buffer`, which must outlive the sequence. A frame that is not of command 2 or was
  /// refused on its length has no items.
  package init(_ frame: Frame, in buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    let end = Swift.min(frame.end, buffer.count)
    let start = frame.start + 5
    range = frame.command == 2 && start <= end ? start..<end : 0..<0
  }

  package func makeIterator() -> Iterator {
    Iterator(buffer: buffer, offset: range.lowerBound, end: range.upperBound)
  }

  package struct Iterator: IteratorProtocol {
    fileprivate let buffer: UnsafeRawBufferPointer
    fileprivate var offset: Int
    fileprivate let end: Int

    package mutating func next() -> FrameItem? {
      guard end - offset >= FrameItem.headerByteCount else { return nil }
      let length = Int(buffer.bigEndian(UInt16.self, at: offset + 1))
      let dataEnd = Swift.min(offset + FrameItem.headerByteCount + length, end)
      let item = FrameItem(id: buffer[offset], offset: offset, length: length, dataEnd: dataEnd)
      offset = dataEnd
      return item
    }
  }
}
