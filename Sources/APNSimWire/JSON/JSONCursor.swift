/// A place in a JSON text in UTF-8, and the steps over its tokens.
///
/// No step leaves the text, ``at`` never exceeds ``count``, so adding to it cannot overflow and is not checked.
///
/// Everything here is inlined into one loop so that the place stays in a register; what is rare (an escape, a
/// character beyond ASCII, a run of white space) is a function that takes a place and returns another.
struct JSONCursor {
  let base: UnsafeRawPointer
  let count: Int
  /// The next byte to look at.
  var at = 0
  /// Why the last step failed; ``at`` is where.
  var problem = PayloadProblem.none
  /// How many steps within strings were not over plain characters.
  private(set) var unusual = 0
  /// How many bytes of white space there were so far.
  private(set) var whitespace = 0

  @inline(__always)
  mutating func countUnusual() { unusual &+= 1 }

  init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// The byte at ``at``; 0, which the grammar has no use for, behind the last one.
  @inline(__always)
  var byte: UInt8 {
    at < count ? base.load(fromByteOffset: at, as: UInt8.self) : 0
  }

  /// The bytes from `start` to here.
  @inline(__always)
  func text(from start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + start, count: at &- start)
  }

  @inline(__always)
  mutating func fail(_ problem: PayloadProblem) -> Bool {
    self.problem = problem
    return false
  }

  /// Skips white space, if there is any, and returns the byte behind it.
  @inline(__always)
  @discardableResult
  mutating func skipWhitespace() -> UInt8 {
    let next = byte
    guard next <= 0x20 else { return next }
    let end = Self.endOfWhitespace(from: at, base: base, count: count)
    whitespace &+= end &- at
    at = end
    return byte
  }

  @inline(never)
  private static func endOfWhitespace(from start: Int, base: UnsafeRawPointer, count: Int) -> Int {
    var at = start
    while at < count {
      switch base.load(fromByteOffset: at, as: UInt8.self) {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): at &+= 1
      default: return at
      }
    }
    return at
  }

  /// Skips the number at ``at``: a sign, an integer without leading zeros, a fraction, an exponent.
  @inline(__always)
  mutating func skipNumber() -> Bool {
    if byte == UInt8(ascii: "-") { at &+= 1 }
    if byte == UInt8(ascii: "0") {
      at &+= 1
      guard !isDigit else { return fail(.leadingZero) }
    } else {
      guard skipDigits() else { return false }
    }
    if byte == UInt8(ascii: ".") {
      at &+= 1
      guard skipDigits() else { return false }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      at &+= 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { at &+= 1 }
      guard skipDigits() else { return false }
    }
    return true
  }

  @inline(__always)
  private var isDigit: Bool { byte &- UInt8(ascii: "0") < 10 }

  /// At least one digit.
  @inline(__always)
  private mutating func skipDigits() -> Bool {
    guard isDigit else { return fail(.expectedDigit) }
    repeat { at &+= 1 } while isDigit
    return true
  }

  /// Skips `true`, `false` or `null`, of which the first letter is at ``at``.
  @inline(__always)
  mutating func skipLiteral() -> Bool {
    let length = Self.lengthOfLiteral(at: at, base: base, count: count)
    at += length
    return length > 0 || fail(.invalidLiteral)
  }

  /// The length of the literal at `at`, 0 if it is none.
  @inline(never)
  private static func lengthOfLiteral(at: Int, base: UnsafeRawPointer, count: Int) -> Int {
    let text = UnsafeRawBufferPointer(start: base + at, count: count - at)
    for literal in ["true", "false", "null"] as [StaticString] {
      let bytes = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
      if text.starts(with: bytes) { return bytes.count }
    }
    return 0
  }
}
