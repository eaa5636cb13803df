/// The facts of a message that its header list tells, gathered while it is decoded (RFC 9113 sections 8.1 to 8.3).
package struct HeaderFacts: Sendable {
  /// The kind of message that the list belongs to.
  package enum Message: Sendable {
    case request, response, trailers
  }

  package let message: Message
  /// The sum of name, value and 32 for each field (RFC 9113 section 6.5.2).
  package var listSize = 0
  /// The list is larger than was announced: it was decoded, and its fields were dropped from there on.
  package var isTooLarge = false
  /// The value of `content-length`; -1 where there is none.
  package var contentLength = -1
  /// The name that the first `authorization` was given; 0 where there is none.
  package var credential: UInt32 = 0
  /// Whether white space at the ends of values of `authorization` and `apns-…` is taken.
  package var takesWhiteSpace = false
  /// The headers that had some, and were taken.
  package private(set) var whiteSpace = HeaderWhiteSpace()
  /// The first flaw that makes the message malformed.
  package private(set) var flaw: StaticString?
  private var pseudo: UInt8 = 0
  private var hasRegular = false
  private var isConnect = false
  /// The method is GET: of all answers only those can be long.
  package private(set) var isGet = false

  package init(_ message: Message) { self.message = message }

  package mutating func refuse(_ reason: StaticString) {
    if flaw == nil { flaw = reason }
  }

  /// Notes a field. Few names have their text looked at, or their value.
  @inline(__always)
  mutating func note(
    _ number: HeaderName,
    _ name: @autoclosure () -> UnsafeRawBufferPointer,
    _ value: @autoclosure () -> UnsafeRawBufferPointer,
    _ fieldFlaw: FieldFlaw
  ) {
    if fieldFlaw != .none { take(fieldFlaw, of: number, name()) }
    if number.isPseudo {
      notePseudo(number, value())
    } else if number == .other, name().first == 0x3A {
      refuse("an unknown pseudo-header (RFC 9113 section 8.3)")
    } else {
      hasRegular = true
      if number == .contentLength { noteLength(value()) }
    }
  }

  @inline(never)
  private mutating func take(_ flaw: FieldFlaw, of number: HeaderName, _ name: UnsafeRawBufferPointer) {
    guard flaw == .whiteSpace, takesWhiteSpace, message == .request, number.mayBeSurrounded(name) else {
      return refuse(flaw.reason)
    }
    whiteSpace.insert(number == .authorization ? .authorization : .apns)
  }

  private mutating func notePseudo(_ number: HeaderName, _ value: UnsafeRawBufferPointer) {
    let bit: UInt8 = 1 << number.rawValue
    if message == .trailers { refuse("trailers have no pseudo-headers (RFC 9113 section 8.1)") }
    if hasRegular { refuse("pseudo-headers stand before all others (RFC 9113 section 8.3)") }
    if pseudo & bit != 0 { refuse("a pseudo-header occurs once (RFC 9113 section 8.3)") }
    if (message == .request) == (number == .status) {
      refuse("a pseudo-header of the other direction (RFC 9113 section 8.3)")
    }
    if number == .path, value.isEmpty { refuse(":path is not empty (RFC 9113 section 8.3.1)") }
    if number == .method {
      isGet = value.isEqual(to: "GET")
      isConnect = value.isEqual(to: "CONNECT")
    }
    pseudo |= bit
  }

  private mutating func noteLength(_ value: UnsafeRawBufferPointer) {
    var length = 0
    for digit in value {
      guard digit >= 0x30, digit <= 0x39, length < 1 << 50 else {
        return refuse("content-length is a decimal number (RFC 9110 section 8.6)")
      }
      length = length &* 10 &+ Int(digit &- 0x30)
    }
    guard !value.isEmpty, contentLength < 0 || contentLength == length else {
      return refuse("content-length is one number (RFC 9110 section 8.6)")
    }
    contentLength = length
  }

  /// Judges the list as a whole.
  mutating func finish() {
    switch message {
    case .trailers: break
    case .response:
      if pseudo & 1 << HeaderName.status.rawValue == 0 {
        refuse(":status is missing (RFC 9113 section 8.3.2)")
      }
    case .request:
      let needed: UInt8 =
        1 << HeaderName.method.rawValue | 1 << HeaderName.scheme.rawValue | 1 << HeaderName.path.rawValue
      let isComplete =
        isConnect
        ? pseudo == 1 << HeaderName.method.rawValue | 1 << HeaderName.authority.rawValue
        : pseudo & needed == needed
      if !isComplete { refuse(":method, :scheme and :path are required (RFC 9113 section 8.3.1)") }
    }
  }
}
