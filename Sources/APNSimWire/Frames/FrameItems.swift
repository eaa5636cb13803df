/// The items of a command-2 frame in wire order, just as they were sent: duplicates, unknown ones and wrong lengths
/// too. For those who show or replay a frame rather than judge it.
///
/// It ends at the frame's end, at the first item that runs past it, or before one or two stray bytes.
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
