/// The containers that are open at a place in a JSON text, as a stack of bits: 1 for an object, 0 for an array.
/// Depth costs neither memory nor recursion.
struct JSONNesting {
  private(set) var depth = 0
  /// The innermost 64, the innermost of all in the lowest bit.
  private var inner: Int = 0
  /// Those further out, 64 to a word.
  private let outer: UnsafeMutablePointer<Int>

  private let limit: Int

  static let maximumDepth = 512
  /// How many words of memory a value needs for the containers further out.
  static let outerCapacity = 8

  /// `outer` must have room for ``outerCapacity`` words and outlive the value; it need not be initialised. A `limit`
  /// above ``maximumDepth`` is taken as that.
  @inline(__always)
  init(outer: UnsafeMutablePointer<Int>, limit: Int) {
    self.outer = outer
    self.limit = min(limit, Self.maximumDepth)
  }

  /// Whether the innermost container is an object.
  @inline(__always)
  var isObject: Bool { inner & 1 != 0 }

  /// What ends the innermost container.
  @inline(__always)
  var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  /// Whether there was room for one more.
  @inline(__always)
  mutating func open(isObject: Bool) -> Bool {
    guard depth < limit else { return false }
    if depth & 63 == 0, depth > 0 { outer[depth >> 6 &- 1] = inner }
    inner = inner << 1 | (isObject ? 1 : 0)
    depth &+= 1
    return true
  }

  /// The caller has checked that something is open.
  @inline(__always)
  mutating func close() {
    inner >>= 1
    depth &-= 1
    if depth & 63 == 0, depth > 0 { inner = outer[depth >> 6 &- 1] }
  }
}
