// The steps over a text: each takes the offset of a token and returns the offset after it, or nil with the reason in
// the notes.
//
// All of them end at the zero after the text, so no offset exceeds its length, and adding to one cannot overflow and
// is not checked. Common steps are inlined into their caller's loop; rare ones are functions.

extension IndexedText {
  /// The offset of the first byte from `place` on that is not white space.
  @inline(__always)
  func token(from place: Int, _ notes: inout JSONNotes) -> Int {
    self[place] > UInt8(ascii: " ") ? place : endOfWhitespace(from: place, &notes)
  }

  @inline(never)
  private func endOfWhitespace(from start: Int, _ notes: inout JSONNotes) -> Int {
    var place = start
    while true {
      switch self[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): place &+= 1
      default:
        notes.whitespace &+= place &- start
        return place
      }
    }
  }

  /// The offset after the string, number or literal at `place`.
  func end(of kind: JSONKind, at place: Int, _ notes: inout JSONNotes) -> Int? {
    switch kind {
    case .string: endOfString(at: place, &notes)
    case .number: endOfNumber(at: place, &notes)
    case .boolean, .null: endOfLiteral(at: place, &notes)
    case .object, .array: nil
    }
  }

  /// The offset after the number: a sign, an integer without leading zeros, a fraction, an exponent.
  @inline(__always)
  func endOfNumber(at start: Int, _ notes: inout JSONNotes) -> Int? {
    var place = start
    if self[place] == UInt8(ascii: "-") { place &+= 1 }
    if self[place] == UInt8(ascii: "0") {
      place &+= 1
      guard !isDigit(at: place) else { return notes.fail(.leadingZero, at: place) }
    } else {
      guard skipDigits(&place) else { return notes.fail(.expectedDigit, at: place) }
    }
    if self[place] == UInt8(ascii: ".") {
      place &+= 1
      guard skipDigits(&place) else { return notes.fail(.expectedDigit, at: place) }
    }
    if self[place] | 0x20 == UInt8(ascii: "e") {
      place &+= 1
      if self[place] == UInt8(ascii: "+") || self[place] == UInt8(ascii: "-") { place &+= 1 }
      guard skipDigits(&place) else { return notes.fail(.expectedDigit, at: place) }
    }
    return place
  }

  @inline(__always)
  private func isDigit(at place: Int) -> Bool { self[place] &- UInt8(ascii: "0") < 10 }

  /// Skips one or more digits; false if there is none.
  @inline(__always)
  private func skipDigits(_ place: inout Int) -> Bool {
    guard isDigit(at: place) else { return false }
    repeat { place &+= 1 } while isDigit(at: place)
    return true
  }

  /// The offset after `true`, `false` or `null`.
  @inline(never)
  func endOfLiteral(at place: Int, _ notes: inout JSONNotes) -> Int? {
    let text = self[place..<count]
    for literal in ["true", "false", "null"] as [StaticString] {
      let bytes = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
      if text.starts(with: bytes) { return place + bytes.count }
    }
    return notes.fail(.invalidLiteral, at: place)
  }

  /// The offset after the closing quote of the string whose opening quote is at `place`.
  @inline(__always)
  func endOfString(at place: Int, _ notes: inout JSONNotes) -> Int? {
    let end = stop(from: place &+ 1)
    return self[end] == UInt8(ascii: "\"") ? end &+ 1 : endOfUnusualString(from: end, &notes)
  }

  /// The offset after the closing quote of a string with escapes or characters beyond ASCII, from the first of them
  /// on.
  @inline(never)
  private func endOfUnusualString(from start: Int, _ notes: inout JSONNotes) -> Int? {
    var place = start
    while self[place] != UInt8(ascii: "\"") {
      notes.unusual &+= 1
      guard
        let next = self[place] == UInt8(ascii: "\\")
          ? endOfEscape(at: place, &notes) : endOfCharacter(at: place, &notes)
      else { return nil }
      place = stop(from: next)
    }
    return place + 1
  }

  /// The offset after a character beyond ASCII.
  private func endOfCharacter(at place: Int, _ notes: inout JSONNotes) -> Int? {
    guard place < count else { return notes.fail(.unterminatedString, at: count) }
    guard self[place] >= 0x20 else { return notes.fail(.controlCharacter, at: place) }
    let length = lengthOfSequence(at: place)
    return length > 0 ? place + length : notes.fail(.invalidUTF8, at: place)
  }

  /// The offset after an escape.
  private func endOfEscape(at place: Int, _ notes: inout JSONNotes) -> Int? {
    guard count - place >= 2 else { return notes.fail(.unterminatedString, at: count) }
    switch self[place + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return place + 2
    case UInt8(ascii: "u"):
      for digit in place + 2..<place + 6 {
        guard digit < count else { return notes.fail(.unterminatedString, at: count) }
        guard Hex.value(of: self[digit]) != nil else { return notes.fail(.expectedHexDigit, at: digit) }
      }
      return place + 6
    default:
      return notes.fail(.invalidEscape, at: place)
    }
  }

  /// The length of the well-formed UTF-8 sequence at `place`, 0 if it is none (Unicode, Table 3-7: no overlong forms,
  /// no surrogates, nothing above U+10FFFF).
  private func lengthOfSequence(at place: Int) -> Int {
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch self[place] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard second.contains(self[place + 1]) else { return 0 }
    for offset in 2..<length where self[place + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
