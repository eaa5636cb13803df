internal import APNSimCore

/// An IP packet of which some parts have come.
struct FragmentedPacket {
  var serial: Int
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
    if bytes.count < range.upperBound {
      bytes += [UInt8](repeating: 0, count: range.upperBound - bytes.count)
    }
    var place = range.lowerBound
    for known in present where known.upperBound > range.lowerBound && known.lowerBound < range.upperBound {
      if place < known.lowerBound { put(new, range.lowerBound, place..<known.lowerBound) }
      place = max(place, known.upperBound)
    }
    if place < range.upperBound { put(new, range.lowerBound, place..<range.upperBound) }
    var merged: [Range<Int>] = []
    for next in (present + [range]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, next.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
    present = merged
  }

  private mutating func put(_ new: ArraySlice<UInt8>, _ start: Int, _ range: Range<Int>) {
    let from = new.startIndex - start
    bytes.replaceSubrange(range, with: new[range.lowerBound + from..<range.upperBound + from])
  }
}
