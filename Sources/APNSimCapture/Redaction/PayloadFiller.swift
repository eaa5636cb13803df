import APNSimWire

/// Fills the strings of a payload with meaningless bytes of the same number, so that it is judged as before.
///
/// It works on the text's characters alone and never parses, so that a payload which is no JSON keeps its mistake:
/// escapes stay escapes, a character becomes one of as many bytes, what is broken stays broken. The keys that Tables
/// 3-1 and 3-2 of the guide know stay, as do short keys of digits alone, which a path may mean as a place in an array,
/// the numbers that are badges and flags, structure, lengths, short numbers, `true`, `false` and `null`; any other word
/// is filled. Nothing else of what people wrote is left.
struct PayloadFiller {
  /// The keys that mean something to the service or a device.
  private static let knownKeys: Set<String> = [
    "aps", "alert", "badge", "sound", "content-available", "body", "action-loc-key", "loc-key", "loc-args",
    "launch-image", "mdm", "category", "title", "title-loc-key", "title-loc-args", "mutable-content",
  ]
  /// The keys whose numbers a device goes by, and an expectation of a badge.
  private static let countKeys: Set<String> = ["badge", "content-available"]

  private let strings: StringFilling?
  private let isUTF8: Bool
  private var units: [UInt32] = []
  private var at = 0
  /// True where the next number is the value of one of the keys above.
  private var isAtCount = false

  /// Fills a payload, or the beginning of one.
  /// - Parameter strings: what makes different strings differ; without it they are told apart by their lengths only,
  ///   filled or not.
  static func fill(_ payload: [UInt8], with strings: StringFilling? = nil) -> [UInt8] {
    let encoding = payload.withUnsafeBytes { PayloadEncoding(detecting: $0) }
    let width = encoding.width
    let isBig = encoding == .utf16BigEndian || encoding == .utf32BigEndian
    var filler = PayloadFiller(strings: strings, isUTF8: width == 1)
    let whole = payload.count / width * width
    filler.units.reserveCapacity(whole / width)
    for start in stride(from: 0, to: whole, by: width) {
      var unit: UInt32 = 0
      for index in 0..<width {
        unit = unit << 8 | UInt32(payload[start + (isBig ? index : width - 1 - index)])
      }
      filler.units.append(unit)
    }
    filler.run()
    var filled: [UInt8] = []
    filled.reserveCapacity(payload.count)
    for unit in filler.units {
      for index in 0..<width {
        filled.append(UInt8(truncatingIfNeeded: unit >> UInt32(8 * (isBig ? width - 1 - index : index))))
      }
    }
    return filled + [UInt8](repeating: 0, count: payload.count - whole)
  }

  /// Fills the payload of a frame. One that is no JSON is blotted out after its syntax error, because anything may
  /// stand there, such as the next frame of a provider that counted a length wrong.
  static func redact(_ payload: [UInt8], with strings: StringFilling? = nil) -> [UInt8] {
    var filled = fill(payload, with: strings)
    let verdict = filled.withUnsafeBytes { PayloadJudge.judge($0) }
    guard !verdict.problem.isJSON, verdict.problem != .byteOrderMark else { return filled }
    let encoding = filled.withUnsafeBytes { PayloadEncoding(detecting: $0) }
    let width = encoding.width
    let isBig = encoding == .utf16BigEndian || encoding == .utf32BigEndian
    func put(_ blot: UInt8, at place: Int) {
      let unit = (0..<width).map { $0 == (isBig ? width - 1 : 0) ? blot : 0 }
      filled.replaceSubrange(place..<place + width, with: unit)
    }
    let mistake = verdict.offset / width * width
    guard mistake + width < payload.count else { return filled }
    // Where a word is the error, its first letter would not be filled like the word.
    if verdict.problem.category != .encoding, isOfWord(filled[mistake..<mistake + width], isBig) {
      put(blots[0], at: mistake)
    }
    let pad = strings?.pad(of: Array(payload[mistake...])) ?? []
    for (index, place) in stride(from: mistake + width, through: filled.count - width, by: width).enumerated()
    {
      put(pad.isEmpty ? blots[0] : blots[Int(pad[index % pad.count]) % blots.count], at: place)
    }
    return filled
  }

  /// A character that begins no value and ends no string.
  private static let blots = Array("!#$%&'()*;<=>?@^".utf8)

  /// True for a unit that is a letter, a digit, or beyond ASCII.
  private static func isOfWord(_ unit: ArraySlice<UInt8>, _ isBig: Bool) -> Bool {
    let value = (isBig ? Array(unit) : unit.reversed()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: return true
    default: return false
    }
  }

  /// True for a key that stays as it is.
  static func isKnown(_ key: String) -> Bool {
    knownKeys.contains(key)
      || (1...WrittenNumber.Value.keptLength).contains(key.utf8.count)
        && key.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// True for a key whose numbers stay as they are.
  static func isCount(_ key: String) -> Bool { countKeys.contains(key) }

  private init(strings: StringFilling?, isUTF8: Bool) {
    self.strings = strings
    self.isUTF8 = isUTF8
  }

  private mutating func run() {
    if isUTF8, units.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    if !isUTF8, units.first == 0xFEFF { at = 1 }
    while at < units.count {
      switch units[at] {
      case 0x22: string()
      case 0x30...0x39, 0x2D: number()
      case 0x41...0x5A, 0x61...0x7A, 0x80...: word()
      case 0x20, 0x09, 0x0A, 0x0D, 0x3A: at += 1
      default:
        isAtCount = false
        at += 1
      }
    }
  }

  // MARK: Strings

  private mutating func string() {
    let start = at + 1
    var end = start
    while end < units.count, units[end] != 0x22 { end += units[end] == 0x5C ? 2 : 1 }
    end = min(end, units.count)
    at = min(end + 1, units.count)
    let key = isKey(start..<end) ? knownKey(start..<end) : nil
    isAtCount = key.map { Self.isCount($0) } ?? false
    if key == nil { fill(start..<end, Filler.letters) }
  }

  /// True where a colon follows the string at this place.
  private func isKey(_ range: Range<Int>) -> Bool {
    var next = range.upperBound + 1
    while next < units.count, Self.isSpace(units[next]) { next += 1 }
    return next < units.count && units[next] == 0x3A && range.count <= 200
  }

  private static func isSpace(_ unit: UInt32) -> Bool {
    unit == 0x20 || unit == 0x09 || unit == 0x0A || unit == 0x0D
  }

  /// The kept keys in their usual spelling.
  private static let writtenKeys = knownKeys.sorted().map { ($0, $0.unicodeScalars.map(\.value)) }

  /// The key at this place, if it is kept.
  private func knownKey(_ range: Range<Int>) -> String? {
    let written = units[range]
    if let (key, _) = Self.writtenKeys.first(where: { $0.1.elementsEqual(written) }) { return key }
    // Letters alone spell nothing else; digits are few, and an escape may be any character.
    if written.allSatisfy({ (0x41...0x7A).contains($0) && $0 != 0x5C }) { return nil }
    let quoted = String(String.UnicodeScalarView(units[range].map { Unicode.Scalar($0) ?? "\u{FFFD}" }))
    guard let text = (try? JSONValue.parse("[\"\(quoted)\"]"))?.arrayValue?.first?.stringValue else {
      return nil
    }
    return Self.isKnown(text) ? text : nil
  }

  /// Fills a text of so many kinds of letters.
  private mutating func fill(_ range: Range<Int>, _ letters: [UInt32]) {
    let text = WrittenText(units[range], isUTF8: isUTF8)
    fill(text.characters[...], from: 0, Filler(pad: strings?.pad(of: text.content) ?? [], letters: letters))
    for found in strings?.sought(in: text) ?? [] {
      fill(text.characters[found.places], from: found.start, Filler(pad: found.pad, letters: letters))
    }
  }

  private mutating func fill(
    _ characters: ArraySlice<WrittenText.Character>,
    from start: Int,
    _ filler: Filler
  ) {
    for (place, character) in zip(characters.indices, characters) {
      let other = filler.other(than: character.scalar, at: place - start, isShared: character.isBesideMistake)
      character.put(other, into: &units)
    }
  }

  // MARK: Outside of strings

  private mutating func number() {
    let start = at
    while at < units.count, Self.isOfNumber(units[at]) { at += 1 }
    let isCount = isAtCount
    isAtCount = false
    if isCount { return }
    let text = units[start..<at].map { UInt8(truncatingIfNeeded: $0) }
    guard let number = WrittenNumber(text) else { return mistake(start..<at, text) }
    guard !number.value.isKept else { return }
    let digits = strings?.digits(of: number.value) ?? NumberFilling.filled(number.value.digits)
    for (place, digit) in zip(number.places, digits) { units[start + place] = 0x30 + UInt32(digit) }
  }

  /// Fills a text that only looks like a number: no leading zero comes or goes, and the digits of an exponent all
  /// become ones.
  private mutating func mistake(_ range: Range<Int>, _ text: [UInt8]) {
    guard range.count > WrittenNumber.Value.keptLength else { return }
    let pad = strings?.pad(of: text) ?? []
    var (isFirst, isExponent) = (true, false)
    for index in range {
      if units[index] | 0x20 == 0x65 { isExponent = true }
      guard (0x31...0x39).contains(units[index]) else { continue }
      let isFree = !isFirst && !isExponent && !pad.isEmpty
      units[index] = 0x31 + (isFree ? UInt32(pad[(index - range.lowerBound) % pad.count] % 9) : 0)
      isFirst = false
    }
  }

  private static func isOfNumber(_ unit: UInt32) -> Bool {
    switch unit {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  private mutating func word() {
    isAtCount = false
    let start = at
    while at < units.count,
      (0x41...0x5A).contains(units[at]) || (0x61...0x7A).contains(units[at]) || units[at] >= 0x80
    {
      at += 1
    }
    let text = String(String.UnicodeScalarView(units[start..<at].map { Unicode.Scalar($0) ?? "\u{FFFD}" }))
    // The beginning of a word that the payload's end cuts off says as little as the word.
    if ["true", "false", "null"].contains(where: { $0 == text || at == units.count && $0.hasPrefix(text) }) {
      return
    }
    fill(start..<at, Filler.capitals)
  }
}

/// Replaces the characters of one text by others with the same length in every encoding.
struct Filler {
  /// The bytes derived from the text; empty for characters that all texts share.
  var pad: [UInt8]
  /// The replacements of ASCII.
  var letters: [UInt32]

  /// No vowels, so that no key or literal comes of them, nor an exponent, nor anything to read; no `x`, which all
  /// texts share.
  static let letters = scalars("BCDFGHJKLMNPQRSTVWXYZbcdfghjklnpqrstvwyz")
  /// Letters of which not even the beginning of `true`, `false` or `null` can come.
  static let capitals = scalars("BCDFGHJKLMNPQRSTVWXYZ")

  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  /// - Parameters:
  ///   - index: the character's place in the text.
  ///   - isShared: true where it becomes the same one in every text.
  func other(than scalar: UInt32, at index: Int, isShared: Bool) -> UInt32 {
    let isShared = isShared || pad.count < 2
    let place = isShared ? 0 : 2 * index % (pad.count & ~1)
    let chance = isShared ? 0 : UInt32(pad[place]) << 8 | UInt32(pad[place + 1])
    switch scalar {
    // These are always or mostly escaped, which would show what they were.
    case ..<0x20, 0x22, 0x5C: return scalar
    case ..<0x80: return isShared ? 0x78 : letters[Int(chance) % letters.count]
    // × or a letter; • or an ideograph; an emoji or a rare ideograph. Nothing here combines, and below U+0100 the
    // high bytes of UTF-16 and UTF-32 stay zeros, by which these are told.
    case ..<0x100: return isShared ? 0xD7 : 0xC0 + chance % 0x17
    case ..<0x800: return isShared ? 0xD7 : 0x410 + chance % 0x40
    case ..<0x10000: return isShared ? 0x2022 : 0x4E00 + chance % 0x1000
    default: return isShared ? 0x1F600 : 0x20000 + chance % 0x4000
    }
  }
}
