extension ProviderToken {
  /// Writes `x` over whatever in a text has the shape of a provider token (RFC 7515, section 7.1): `eyJ…`, which is
  /// Base64 of `{"`, and two more parts, with full stops between them. The full stops stay.
  package static func blot(in text: UnsafeMutableRawBufferPointer) {
    guard text.count >= least else { return }
    var place = 2
    while place < text.count {
      // The third letter decides how far the next one can be.
      switch text[place] {
      case UInt8(ascii: "J"):
        if text[place - 1] == UInt8(ascii: "y"), text[place - 2] == UInt8(ascii: "e") {
          let end = end(of: text, from: place - 2)
          for index in place - 2..<end where text[index] != fullStop { text[index] = UInt8(ascii: "x") }
          place = max(place, end)
        }
        place += 3
      case UInt8(ascii: "y"): place += 1
      case UInt8(ascii: "e"): place += 2
      default: place += 3
      }
    }
  }

  /// The fewest characters of a header, which names its algorithm, and of a token.
  private static let leastHeader = 20
  private static let leastClaims = 8
  private static let least = leastHeader + leastClaims + 3
  private static let fullStop = UInt8(ascii: ".")

  /// The end of the token that begins at a place; the place itself where none does.
  private static func end(of text: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    let header = endOfPart(of: text, from: start)
    guard header - start >= leastHeader, header < text.count, text[header] == fullStop else { return start }
    let claims = endOfPart(of: text, from: header + 1)
    guard claims - header > leastClaims, claims < text.count, text[claims] == fullStop else { return start }
    return endOfPart(of: text, from: claims + 1)
  }

  private static func endOfPart(of text: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < text.count, isDigit(text[place]) { place += 1 }
    return place
  }

  /// True for a digit of base64url.
  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
