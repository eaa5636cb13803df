internal import APNSimWire

/// Fills the strings of a payload with as many bytes of nothing, so that whoever judges it says the same as before.
///
/// It works on the text's characters alone and never parses, so that a payload which is no JSON keeps its mistake:
/// escapes stay escapes, a sequence of UTF-8 one of the same length, what is broken stays broken. The keys that Tables
/// 3-1 and 3-2 of the guide know stay, as do structure, lengths, short numbers, `true`, `false` and `null`; any other
/// word is filled. Nothing else of what people wrote is left.
struct PayloadFiller {
  /// The keys that mean something to the service or a device.
  private static let knownKeys: Set<String> = [
    "aps", "alert", "badge", "sound", "content-available", "body", "action-loc-key", "loc-key", "loc-args",
    "launch-image", "mdm", "category", "title", "title-loc-key", "title-loc-args", "mutable-content",
  ]
  /// Numbers of so many characters are kept: badges, flags, versions.
  private static let keptNumber = 5

  private var units: [UInt32] = []
  private var at = 0

  /// Fills a payload, or the beginning of one.
  static func fill(_ payload: [UInt8]) -> [UInt8] {
    let encoding = payload.withUnsafeBytes { PayloadEncoding(detecting: $0) }
    let width = encoding.width
    let isBig = encoding == .utf16BigEndian || encoding == .utf32BigEndian
    var filler = PayloadFiller()
    let whole = payload.count / width * width
    for start in stride(from: 0, to: whole, by: width) {
      var unit: UInt32 = 0
      for index in 0..<width {
        unit = unit << 8 | UInt32(payload[start + (isBig ? index : width - 1 - index)])
      }
      filler.units.append(unit)
    }
    filler.run(isUTF8: width == 1)
    var filled: [UInt8] = []
    filled.reserveCapacity(payload.count)
    for unit in filler.units {
      for index in 0..<width {
        filled.append(UInt8(truncatingIfNeeded: unit >> UInt32(8 * (isBig ? width - 1 - index : index))))
      }
    }
    return filled + [UInt8](repeating: 0, count: payload.count - whole)
  }

  private mutating func run(isUTF8: Bool) {
    if isUTF8, units.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    if !isUTF8, units.first == 0xFEFF { at = 1 }
    while at < units.count {
      switch units[at] {
      case 0x22: string(isUTF8)
      case 0x30...0x39, 0x2D: number()
      case 0x41...0x5A, 0x61...0x7A, 0x80...: word(isUTF8)
      default: at += 1
      }
    }
  }

  // MARK: Strings

  private mutating func string(_ isUTF8: Bool) {
    let start = at + 1
    var end = start
    while end < units.count, units[end] != 0x22 { end += units[end] == 0x5C ? 2 : 1 }
    end = min(end, units.count)
    at = min(end + 1, units.count)
    if isKnownKey(start..<end) { return }
    fill(start..<end, isUTF8)
  }

  private func isKnownKey(_ range: Range<Int>) -> Bool {
    var next = range.upperBound + 1
    while next < units.count, [0x20, 0x09, 0x0A, 0x0D].contains(units[next]) { next += 1 }
    guard next < units.count, units[next] == 0x3A, range.count <= 200 else { return false }
    let quoted = String(String.UnicodeScalarView(units[range].map { Unicode.Scalar($0) ?? "\u{FFFD}" }))
    guard let text = (try? JSONValue.parse("[\"\(quoted)\"]"))?.arrayValue?.first?.stringValue else {
      return false
    }
    return Self.knownKeys.contains(text)
  }

  private mutating func fill(_ range: Range<Int>, _ isUTF8: Bool) {
    var place = range.lowerBound
    while place < range.upperBound {
      let unit = units[place]
      switch unit {
      case 0x5C: place += escape(at: place, range.upperBound)
      case ..<0x20: place += 1  // Not allowed there, which is to be said again.
      case ..<0x80:
        units[place] = 0x78
        place += 1
      default: place += character(at: place, range.upperBound, isUTF8)
      }
    }
  }

  /// `\n` stays, and so does what is no escape; `\u` keeps what kind of unit it stands for.
  private mutating func escape(at place: Int, _ end: Int) -> Int {
    guard place + 1 < end, units[place + 1] == 0x75 else { return 2 }
    let digits = place + 2..<place + 6
    guard digits.upperBound <= end else { return 2 }
    var value: UInt32 = 0
    for digit in units[digits] {
      guard let number = Self.hexValue(digit) else { return 2 }
      value = value << 4 | number
    }
    let kept: [UInt32]
    switch value {
    case 0xD800..<0xDC00: kept = [0x64, 0x38, 0x33, 0x64]  // d83d
    case 0xDC00..<0xE000: kept = [0x64, 0x65, 0x30, 0x30]  // de00
    default: kept = [0x30, 0x30, 0x37, 0x38]  // 0078
    }
    for (index, digit) in zip(digits, kept) { units[index] = digit }
    return 6
  }

  private static func hexValue(_ unit: UInt32) -> UInt32? {
    switch unit {
    case 0x30...0x39: unit - 0x30
    case 0x41...0x46: unit - 0x37
    case 0x61...0x66: unit - 0x57
    default: nil
    }
  }

  /// A character beyond ASCII becomes another one of as many units; a broken one stays as broken.
  private mutating func character(at place: Int, _ end: Int, _ isUTF8: Bool) -> Int {
    guard isUTF8 else {
      switch units[place] {
      case 0xD800..<0xDC00: units[place] = 0xD83D
      case 0xDC00..<0xE000: units[place] = 0xDE00
      case 0x110000...: break
      case 0x10000...: units[place] = 0x1F600
      default: units[place] = 0xD7
      }
      return 1
    }
    let length: Int
    let other: [UInt32]
    switch units[place] {
    case 0xC2...0xDF: (length, other) = (2, [0xC3, 0x97])
    case 0xE0...0xEF: (length, other) = (3, [0xE2, 0x80, 0xA2])
    case 0xF0...0xF4: (length, other) = (4, [0xF0, 0x9F, 0x98, 0x80])
    case 0x80..<0xC0:
      units[place] = 0x80
      return 1
    default: return 1
    }
    let bytes = units[place..<min(place + length, end)].map { UInt8(truncatingIfNeeded: $0) }
    guard bytes.count == length, String(validating: bytes, as: UTF8.self) != nil else {
      // The first byte says how many are missing; those that follow are looked at for themselves.
      return 1
    }
    for (index, unit) in other.enumerated() { units[place + index] = unit }
    return length
  }

  // MARK: Outside of strings

  private mutating func number() {
    let start = at
    while at < units.count, Self.isOfNumber(units[at]) { at += 1 }
    guard at - start > Self.keptNumber else { return }
    // Every digit but a zero becomes a one: no leading zero comes or goes, and the size stays about the same.
    for index in start..<at where (0x31...0x39).contains(units[index]) { units[index] = 0x31 }
  }

  private static func isOfNumber(_ unit: UInt32) -> Bool {
    switch unit {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  private mutating func word(_ isUTF8: Bool) {
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
    fill(start..<at, isUTF8)
  }
}
