/// The containers that are open at an offset of a JSON text, as a stack of bits: 1 for an object, 0 for an array.
/// Depth costs neither memory nor recursion.
struct JSONNesting {
  private(set) var depth = 0
  /// The innermost 64 containers, the innermost in the lowest bit.
  private var inner: Int = 0
  /// The containers further out, 64 to a word.
  private let outer: UnsafeMutablePointer<Int>

  private let limit: Int

  static let maximumDepth = 512
  /// The number of words that ``outer`` must have.
  static let outerCapacity = 8

  /// `outer` must have room for ``outerCapacity`` words and outlive the value; it need not be initialised. A `limit`
  /// above ``maximumDepth`` is taken as that.
  @inline(__always)
  init(outer: UnsafeMutablePointer<Int>, limit: Int) {
    self.outer = outer
    self.limit = min(limit, Self.maximumDepth)
  }

  /// True if the innermost container is an object.
  @inline(__always)
  var isObject: Bool { inner & 1 != 0 }

  /// The bracket that closes the innermost container.
  @inline(__always)
  var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  /// The token that is expected after a value of the innermost container.
  @inline(__always)
  var expectedSeparator: PayloadProblem { isObject ? .expectedCommaOrObjectEnd : .expectedCommaOrArrayEnd }

  /// Opens a container; false if the limit is reached.
  @inline(__always)
  mutating func open(isObject: Bool) -> Bool {
    guard depth < limit else { return false }
    if depth & 63 == 0, depth > 0 { outer[depth >> 6 &- 1] = inner }
    inner = inner << 1 | (isObject ? 1 : 0)
    depth &+= 1
    return true
  }

  /// Closes the innermost container. The caller has checked that one is open.
  @inline(__always)
  mutating func close() {
    inner >>= 1
    depth &-= 1
    if depth & 63 == 0, depth > 0 { inner = outer[depth >> 6 &- 1] }
  }
}
