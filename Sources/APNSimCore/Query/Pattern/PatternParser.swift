/// Reads a regular expression.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var depth = 0
  private var ignoresCase = false

  private static let mostDepth = 50
  private static let mostTimes = 1000

  init(_ source: String) throws(PatternError) {
    scalars = Array(source.unicodeScalars)
    guard scalars.count <= Pattern.longestSource else {
      throw PatternError(
        offset: 0,
        expected: "at most \(Pattern.longestSource) characters",
        found: "\(scalars.count)"
      )
    }
  }

  mutating func parse() throws(PatternError) -> PatternProgram.Tree {
    if scalars.starts(with: "(?i)".unicodeScalars) { (at, ignoresCase) = (4, true) }
    let tree = try either()
    guard at == scalars.count else { throw error("the end or an opening parenthesis before") }
    return tree
  }

  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  /// - Parameter start: where what has been read and is wrong begins; the next character is wrong when `nil`.
  private func error(_ expected: String, from start: Int? = nil) -> PatternError {
    let wrong = start.map { scalars[$0..<at].prefix(12) } ?? scalars[at...].prefix(1)
    let found = wrong.isEmpty ? "the end" : "\"\(String(String.UnicodeScalarView(wrong)))\""
    return PatternError(offset: start ?? at, expected: expected, found: found)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    at += 1
    return true
  }

  private mutating func either() throws(PatternError) -> PatternProgram.Tree {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .either(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternProgram.Tree {
    var parts: [PatternProgram.Tree] = []
    while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repetition(of: try item())) }
    return parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func repetition(of tree: PatternProgram.Tree) throws(PatternError) -> PatternProgram.Tree {
    let (least, most): (Int, Int?)
    switch next {
    case "*": (least, most) = (0, nil)
    case "+": (least, most) = (1, nil)
    case "?": (least, most) = (0, 1)
    case "{":
      (least, most) = try counts()
      at -= 1
    default: return tree
    }
    at += 1
    _ = take("?")
    if let scalar = next, "*+?{".unicodeScalars.contains(scalar) { throw error("something to repeat") }
    return .repeated(tree, least: least, most: most)
  }

  /// `{2}`, `{2,}` or `{2,5}`; the place is after the brace then.
  private mutating func counts() throws(PatternError) -> (Int, Int?) {
    at += 1
    let least = try number()
    var most: Int? = least
    if take(",") {
      let second = at
      most = next == "}" ? nil : try number()
      if let most, most < least { throw error("a number from \(least) on", from: second) }
    }
    guard take("}") else { throw error("} or a number") }
    return (least, most)
  }

  private mutating func number() throws(PatternError) -> Int {
    let digits = scalars[at...].prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { throw error("a number") }
    at = digits.endIndex
    guard let value = Int(String(String.UnicodeScalarView(digits))), value <= Self.mostTimes else {
      throw error("at most \(Self.mostTimes) times", from: digits.startIndex)
    }
    return value
  }

  private mutating func item() throws(PatternError) -> PatternProgram.Tree {
    switch next {
    case "(": return try group()
    case "[": return .scalars(try characterClass())
    case ".":
      at += 1
      return .scalars(.any)
    case "^":
      at += 1
      return .start
    case "$":
      at += 1
      return .end
    case "*", "+", "?", "{", nil: throw error("something to repeat")
    case "\\": return .scalars(try escape())
    case let scalar?:
      at += 1
      return .scalars(PatternClass(ranges: [scalar...scalar], ignoresCase: ignoresCase))
    }
  }

  private mutating func group() throws(PatternError) -> PatternProgram.Tree {
    let start = at
    at += 1
    if take("?") {
      guard take(":") else { throw error("\":\", since there are groups only, no look around") }
    }
    depth += 1
    guard depth <= Self.mostDepth else {
      throw error("at most \(Self.mostDepth) groups within one another", from: start)
    }
    let tree = try either()
    depth -= 1
    guard take(")") else { throw error("a closing parenthesis") }
    return tree
  }

  private mutating func escape() throws(PatternError) -> PatternClass {
    at += 1
    guard let scalar = next else { throw error("what the backslash is for") }
    at += 1
    switch scalar {
    case "d": return .digits
    case "D": return PatternClass.digits.negated
    case "w": return .word
    case "W": return PatternClass.word.negated
    case "s": return .space
    case "S": return PatternClass.space.negated
    case "n": return PatternClass(ranges: ["\n"..."\n"])
    case "r": return PatternClass(ranges: ["\r"..."\r"])
    case "t": return PatternClass(ranges: ["\t"..."\t"])
    case "a"..."z", "A"..."Z", "0"..."9":
      at -= 1
      throw error("\\d, \\w, \\s, \\n, \\r, \\t, or a character that is no letter or digit")
    default: return PatternClass(ranges: [scalar...scalar])
    }
  }

  private mutating func characterClass() throws(PatternError) -> PatternClass {
    at += 1
    var found = PatternClass(ignoresCase: ignoresCase)
    found.isNegated = take("^")
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      guard let scalar = next else { throw error("a closing bracket") }
      if scalar == "\\" {
        let escaped = try escape()
        guard let single = escaped.single else {
          found.ranges += escaped.plainRanges
          continue
        }
        found.ranges.append(try range(from: single))
      } else if let named = try namedClass() {
        found.ranges += named
      } else {
        at += 1
        found.ranges.append(try range(from: scalar))
      }
    }
    at += 1
    return found
  }

  /// `[:alpha:]` within brackets; nil where none begins here.
  private mutating func namedClass() throws(PatternError) -> [ClosedRange<Unicode.Scalar>]? {
    guard next == "[", at + 1 < scalars.count, [":", ".", "="].contains(scalars[at + 1]) else { return nil }
    let start = at
    while at < scalars.count, scalars[at] != "]" { at += 1 }
    if at < scalars.count { at += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<at]))
    guard let ranges = PatternClass.named(text) else {
      throw error("a class such as [:alpha:], [:digit:], [:alnum:] or [:space:]", from: start)
    }
    return ranges
  }

  private mutating func range(from first: Unicode.Scalar) throws(PatternError) -> ClosedRange<Unicode.Scalar>
  {
    guard next == "-", at + 1 < scalars.count, scalars[at + 1] != "]" else { return first...first }
    at += 1
    let start = at
    guard var last = next else { throw error("the end of the range") }
    if last == "\\" {
      guard let single = try escape().single else { throw error("a single character", from: start) }
      last = single
    } else {
      at += 1
    }
    guard first <= last else { throw error("a character from \"\(first)\" on", from: start) }
    return first...last
  }
}
