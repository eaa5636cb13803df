internal import APNSimCore

/// An IP packet of which some parts have come.
struct FragmentedPacket {
  var begun: Timestamp
  var parts = 0
  var bytes: [UInt8] = []
  /// Where bytes are there: in order, none touching the next.
  var present: [Range<Int>] = []
  var end: Int?
  /// It was put together; late copies of its parts mean nothing.
  var isDone = false

  /// Keeps the bytes of a range that are not there yet.
  mutating func add(_ new: ArraySlice<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if bytes.count < range.upperBound {
      bytes += repeatElement(0, count: range.upperBound - bytes.count)
    }
    let first = present.partitioningIndex { $0.upperBound >= range.lowerBound }
    var (behind, place, joined) = (first, range.lowerBound, range)
    while behind < present.count, present[behind].lowerBound <= range.upperBound {
      let known = present[behind]
      if place < known.lowerBound { put(new, range.lowerBound, place..<known.lowerBound) }
      place = max(place, known.upperBound)
      joined = min(joined.lowerBound, known.lowerBound)..<max(joined.upperBound, known.upperBound)
      behind += 1
    }
    if place < range.upperBound { put(new, range.lowerBound, place..<range.upperBound) }
    present.replaceSubrange(first..<behind, with: CollectionOfOne(joined))
  }

  private mutating func put(_ new: ArraySlice<UInt8>, _ start: Int, _ range: Range<Int>) {
    let from = new.startIndex - start
    bytes.replaceSubrange(range, with: new[range.lowerBound + from..<range.upperBound + from])
  }
}
