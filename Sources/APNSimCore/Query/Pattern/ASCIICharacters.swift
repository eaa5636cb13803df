/// The characters of an ASCII text that lies somewhere as bytes.
struct ASCIICharacters: Sequence, IteratorProtocol {
  private var place: UnsafeRawPointer?
  private var left: Int

  init(_ text: UnsafeRawBufferPointer) { (place, left) = (text.baseAddress, text.count) }

  @inline(__always)
  mutating func next() -> Unicode.Scalar? {
    guard left > 0, let place else { return nil }
    self.place = place + 1
    left &-= 1
    return Unicode.Scalar(place.load(as: UInt8.self))
  }
}
