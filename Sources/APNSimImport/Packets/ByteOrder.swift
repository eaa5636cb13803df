/// The order in which a file or header writes the bytes of a number.
enum ByteOrder: Sendable {
  case big
  case little
}

extension ArraySlice<UInt8> {
  /// The 16 bits at `place`, counted from the slice's beginning; nil when they are not there.
  func uint16(_ place: Int, _ order: ByteOrder = .big) -> UInt16? {
    guard place >= 0, count - place >= 2 else { return nil }
    let (first, second) = (UInt16(self[startIndex + place]), UInt16(self[startIndex + place + 1]))
    return order == .big ? first << 8 | second : second << 8 | first
  }

  /// The 32 bits at `place`, counted from the slice's beginning; nil when they are not there.
  func uint32(_ place: Int, _ order: ByteOrder = .big) -> UInt32? {
    guard place >= 0, count - place >= 4, let first = uint16(place, order),
      let second = uint16(place + 2, order)
    else { return nil }
    return order == .big
      ? UInt32(first) << 16 | UInt32(second) : UInt32(second) << 16 | UInt32(first)
  }

  /// The byte at `place`, counted from the slice's beginning; nil when it is not there.
  func uint8(_ place: Int) -> UInt8? {
    place >= 0 && place < count ? self[startIndex + place] : nil
  }
}
