import APNSimWire

/// The text between two quotes: its characters, and the spelling of each.
struct WrittenText {
  struct Character {
    enum Form {
      /// Plain, in UTF-8, UTF-16 or UTF-32.
      case plain
      /// `\u` and four digits; twice beyond the basic plane.
      case escaped
      /// An escape of two units, which stays, or units that are no character.
      case fixed([UInt32])
    }

    var scalar: UInt32
    var units: Range<Int>
    var form: Form
    /// True where it follows an escape with missing digits, which it must not complete.
    var isBesideMistake = false
  }

  private(set) var characters: [Character] = []
  /// The text in UTF-8, whatever its spelling; units that are no character stay as they are.
  private(set) var content: [UInt8] = []

  private let units: ArraySlice<UInt32>
  private let isUTF8: Bool
  private var place: Int
  /// The place where the digits of an incomplete escape should have ended.
  private var mistakeEnd = 0

  init(_ units: ArraySlice<UInt32>, isUTF8: Bool) {
    self.units = units
    self.isUTF8 = isUTF8
    place = units.startIndex
    characters.reserveCapacity(units.count)
    content.reserveCapacity(units.count)
    while place < units.endIndex {
      let unit = units[place]
      switch unit {
      case 0x5C: escape()
      case ..<0x80: add(unit, .plain, 1)
      default: if isUTF8 { sequence() } else { wide() }
      }
    }
  }

  private mutating func add(_ scalar: UInt32, _ form: Character.Form, _ count: Int) {
    let end = min(place + count, units.endIndex)
    characters.append(
      Character(scalar: scalar, units: place..<end, form: form, isBesideMistake: place < mistakeEnd)
    )
    if scalar < 0x80 {
      content.append(UInt8(truncatingIfNeeded: scalar))
    } else if let bytes = Unicode.Scalar(scalar).flatMap(UTF8.encode) {
      content.append(contentsOf: bytes)
    }
    place = end
  }

  /// - Parameter left: the replacement of the units, which are no character; empty to keep them.
  private mutating func addBroken(_ left: [UInt32], _ count: Int = 1) {
    content.append(0xFF)
    for unit in units[place...].prefix(count) { content.append(UInt8(truncatingIfNeeded: unit)) }
    add(0xFFFD, .fixed(left), count)
  }

  // MARK: Escapes

  private mutating func escape() {
    guard place + 1 < units.endIndex else { return addBroken([]) }
    switch units[place + 1] {
    case 0x75: escapedUnit()
    case 0x22, 0x5C, 0x2F: add(units[place + 1], .fixed([]), 2)
    case 0x62: add(0x08, .fixed([]), 2)
    case 0x66: add(0x0C, .fixed([]), 2)
    case 0x6E: add(0x0A, .fixed([]), 2)
    case 0x72: add(0x0D, .fixed([]), 2)
    case 0x74: add(0x09, .fixed([]), 2)
    default: addBroken([], 2)
    }
  }

  private mutating func escapedUnit() {
    guard let unit = escapedUnit(at: place) else {
      mistakeEnd = place + 6
      return addBroken([], 2)
    }
    switch unit {
    case 0xD800..<0xDC00:
      if let low = escapedUnit(at: place + 6), (0xDC00..<0xE000).contains(low) {
        add(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), .escaped, 12)
      } else {
        addBroken(Self.escape(0xD83D), 6)
      }
    case 0xDC00..<0xE000: addBroken(Self.escape(0xDE00), 6)
    default: add(unit, .escaped, 6)
    }
  }

  /// The code unit of `\u` and four digits.
  private func escapedUnit(at place: Int) -> UInt32? {
    guard place + 6 <= units.endIndex, units[place] == 0x5C, units[place + 1] == 0x75 else { return nil }
    var value: UInt32 = 0
    for digit in units[place + 2..<place + 6] {
      guard let number = UInt8(exactly: digit).flatMap({ Hex.value(of: $0) }) else { return nil }
      value = value << 4 | UInt32(number)
    }
    return value
  }

  fileprivate static func escape(_ unit: UInt32) -> [UInt32] {
    let digits = ([12, 8, 4, 0] as [UInt32]).map { unit >> $0 & 15 }
    return [0x5C, 0x75] + digits.map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
  }

  // MARK: Characters beyond ASCII

  private mutating func sequence() {
    let length =
      switch units[place] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = units[place...].prefix(length).map { UInt8(truncatingIfNeeded: $0) }
    if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first {
      return add(scalar.value, .plain, length)
    }
    // The first byte gives the length; the bytes after it are checked one by one.
    addBroken((0x80..<0xC0).contains(units[place]) ? [0x80] : [])
  }

  private mutating func wide() {
    let unit = units[place]
    let next = place + 1 < units.endIndex ? units[place + 1] : 0
    switch unit {
    case 0xD800..<0xDC00 where (0xDC00..<0xE000).contains(next):
      add(0x10000 + (unit - 0xD800) << 10 + (next - 0xDC00), .plain, 2)
    case 0xD800..<0xDC00: addBroken([0xD83D])
    case 0xDC00..<0xE000: addBroken([0xDE00])
    case 0x110000...: addBroken([])
    default: add(unit, .plain, 1)
    }
  }
}

extension WrittenText.Character {
  /// Replaces it by another one of its kind.
  func put(_ other: UInt32, into all: inout [UInt32]) {
    func place(_ written: some Collection<UInt32>) {
      for (index, unit) in zip(units, written) { all[index] = unit }
    }
    switch form {
    case .fixed(let left): place(left)
    case .escaped: place(Self.words(other).flatMap(WrittenText.escape))
    case .plain where units.count == 1: all[units.lowerBound] = other
    case .plain where scalar > 0xFFFF && units.count == 2: place(Self.words(other))
    case .plain: place((Unicode.Scalar(other).flatMap(UTF8.encode).map(Array.init) ?? []).map { UInt32($0) })
    }
  }

  /// In UTF-16.
  private static func words(_ scalar: UInt32) -> [UInt32] {
    guard scalar > 0xFFFF else { return [scalar] }
    return [0xD800 + (scalar - 0x10000) >> 10, 0xDC00 + (scalar - 0x10000) & 0x3FF]
  }
}
