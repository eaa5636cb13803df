package import APNSimWire

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds, as in every answer and journal line: `2012-06-01T00:00:00.000Z`.
  public var description: String { String(decoding: text, as: UTF8.self) }

  /// The 24 ASCII bytes of `description`; years outside 0000…9999 are clamped to them.
  package var text: [UInt8] {
    let moment = written.rawValue
    let days = Self.floored(moment, 86_400_000)
    let millisecondOfDay = moment - days * 86_400_000
    let date = CivilDate(day: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func digits(_ value: Int64, _ count: Int) {
      var scale: Int64 = 1
      for _ in 1..<count { scale *= 10 }
      while scale > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / scale % 10))
        scale /= 10
      }
    }
    digits(date.year, 4)
    bytes.append(UInt8(ascii: "-"))
    digits(date.month, 2)
    bytes.append(UInt8(ascii: "-"))
    digits(date.day, 2)
    bytes.append(UInt8(ascii: "T"))
    digits(millisecondOfDay / 3_600_000, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(millisecondOfDay / 60_000 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    digits(millisecondOfDay / 1000 % 60, 2)
    bytes.append(UInt8(ascii: "."))
    digits(millisecondOfDay % 1000, 3)
    bytes.append(UInt8(ascii: "Z"))
    return bytes
  }

  /// The moment that `text` says: the nearest one within the years that it can write.
  var written: Timestamp {
    let lowest = Timestamp(rawValue: -62_167_219_200_000)  // 0000-01-01T00:00:00.000Z
    let highest = Timestamp(rawValue: 253_402_300_799_999)  // 9999-12-31T23:59:59.999Z
    return min(max(self, lowest), highest)
  }

  /// Reads an RFC 3339 date and time (`2012-06-01T00:00:00Z`, fractions and offsets included), a date alone
  /// (midnight UTC), or whole seconds since 1970, but not in four digits, which look like a year; nil for anything else.
  public init?(_ text: some StringProtocol) {
    if let seconds = Int64(text), text.utf8.count != 4 {
      self.init(seconds: seconds)
      return
    }
    var reader = DateReader(Array(text.utf8))
    guard
      let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    var moment = Self.days(fromCivil: year, month, day) * 86_400_000
    if !reader.isAtEnd {
      guard
        reader.take("T") || reader.take("t") || reader.take(" "),
        let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
        hour < 24, minute < 60
      else { return nil }
      moment += hour * 3_600_000 + minute * 60_000
      if reader.take(":") {
        guard let second = reader.number(2), second < 60 else { return nil }
        moment += second * 1000
        if reader.take(".") {
          guard let fraction = reader.fraction() else { return nil }
          moment += fraction
        }
      }
      guard let offset = reader.offset() else { return nil }
      moment -= offset
    }
    guard reader.isAtEnd else { return nil }
    self.init(rawValue: moment)
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// The other way round of `CivilDate`.
  private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floored(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Walks the fixed fields of an RFC 3339 text.
private struct DateReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int64? {
    guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
      return nil
    }
    position += 1
    return Int64(bytes[position - 1] - UInt8(ascii: "0"))
  }

  mutating func number(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let next = digit() else { return nil }
      value = value * 10 + next
    }
    return value
  }

  /// A fraction of a second in milliseconds; digits past the third are read and dropped.
  mutating func fraction() -> Int64? {
    guard var value = digit() else { return nil }
    var count = 1
    while let next = digit() {
      if count < 3 { value = value * 10 + next }
      count += 1
    }
    for _ in 0..<max(0, 3 - count) { value *= 10 }
    return value
  }

  /// `Z`, `+hh:mm`, or `+hhmm` as ISO 8601 has it as well, in milliseconds; a missing one means UTC.
  mutating func offset() -> Int64? {
    if isAtEnd || take("Z") || take("z") { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hour = number(2) else { return nil }
    _ = take(":")
    guard let minute = number(2), hour < 24, minute < 60 else { return nil }
    let offset = hour * 3_600_000 + minute * 60_000
    return isNegative ? -offset : offset
  }
}

extension Timestamp: JSONText {
  package static let facts: [JSONFact] = [
    .meaning("RFC 3339, UTC, by the simulator's clock."), .format("date-time"),
    .example("2012-06-01T00:00:00.000Z"),
  ]
}
