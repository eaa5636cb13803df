/// The characters that one step of a regular expression takes.
struct PatternClass: Hashable, Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var isNegated = false
  var ignoresCase = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    (holds(scalar) || ignoresCase && Self.otherCases(of: scalar).contains(where: holds)) != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } }

  private static func otherCases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard scalar.value >= 0x80 else {
      let isLetter = (0x61...0x7A).contains(scalar.value | 0x20)
      return isLetter ? [Unicode.Scalar(UInt8(scalar.value ^ 0x20))] : []
    }
    return [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].compactMap { mapped in
      mapped.unicodeScalars.count == 1 ? mapped.unicodeScalars.first : nil
    }
  }

  /// The one character that it takes, where it takes but one.
  var single: Unicode.Scalar? {
    guard let only = ranges.first, ranges.count == 1, !isNegated, only.lowerBound == only.upperBound else {
      return nil
    }
    return only.lowerBound
  }

  static let any = PatternClass(ranges: ["\n"..."\n"], isNegated: true)
  static let digits = PatternClass(ranges: ["0"..."9"])
  static let word = PatternClass(ranges: ["a"..."z", "A"..."Z", "0"..."9", "_"..."_"])
  static let space = PatternClass(ranges: [" "..." ", "\t"..."\r"])

  /// The ASCII ranges of a POSIX class by its name, brackets and colons included (IEEE Std 1003.1, section 9.3.5).
  static func named(_ text: String) -> [ClosedRange<Unicode.Scalar>]? {
    switch text {
    case "[:alpha:]": ["a"..."z", "A"..."Z"]
    case "[:digit:]": ["0"..."9"]
    case "[:alnum:]": ["a"..."z", "A"..."Z", "0"..."9"]
    case "[:upper:]": ["A"..."Z"]
    case "[:lower:]": ["a"..."z"]
    case "[:xdigit:]": ["0"..."9", "a"..."f", "A"..."F"]
    case "[:space:]": [" "..." ", "\t"..."\r"]
    case "[:blank:]": [" "..." ", "\t"..."\t"]
    case "[:punct:]": ["!"..."/", ":"..."@", "["..."`", "{"..."~"]
    case "[:cntrl:]": ["\u{0}"..."\u{1F}", "\u{7F}"..."\u{7F}"]
    case "[:graph:]": ["!"..."~"]
    case "[:print:]": [" "..."~"]
    default: nil
    }
  }

  var negated: PatternClass {
    var other = self
    other.isNegated.toggle()
    return other
  }

  /// The ranges of a class, without regard to a negation.
  var plainRanges: [ClosedRange<Unicode.Scalar>] {
    guard isNegated else { return ranges }
    var found: [ClosedRange<Unicode.Scalar>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      Self.add(next, before: range.lowerBound.value, to: &found)
      next = max(next, range.upperBound.value + 1)
    }
    Self.add(next, before: 0x110000, to: &found)
    return found
  }

  private static func add(_ from: UInt32, before end: UInt32, to ranges: inout [ClosedRange<Unicode.Scalar>])
  {
    guard from < end else { return }
    let first = Unicode.Scalar(from) ?? "\u{E000}"
    let last = Unicode.Scalar(end - 1) ?? "\u{D7FF}"
    if first <= last { ranges.append(first...last) }
  }
}
