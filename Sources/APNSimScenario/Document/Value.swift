import APNSimWire

/// One value of a file with its place: says what it is, or adds to the file's problems that it is not.
///
/// The typed readers (`text`, `flag`, `list`, …) return nil after reporting; the caller goes on with the
/// rest.
struct Value {
  let node: Node
  let problems: ProblemList

  var location: SourceLocation { node.location }

  /// True for an empty value: `key:`, `~` or `null` without quotes. A missing key and an empty one are the same.
  var isNull: Bool {
    guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  var isEmptyMapping: Bool {
    guard case .mapping(let mapping) = node else { return false }
    return mapping.isEmpty
  }

  /// The text of a scalar without judging it; nil for lists and mappings.
  var scalar: String? {
    guard case .scalar(let scalar) = node else { return nil }
    return scalar.string
  }

  /// The text of a scalar that may be a number, true or false; in a strict document, of one without quotes.
  var literal: String? { problems.isStrict && isQuoted ? nil : scalar }

  private var isQuoted: Bool {
    guard case .scalar(let scalar) = node else { return false }
    return scalar.style == .singleQuoted || scalar.style == .doubleQuoted
  }

  /// The value as an error names it: `"abc"`, `a list`, `nothing`.
  var found: String {
    switch node {
    case .scalar(let scalar):
      if isNull { return problems.isStrict ? "null" : "nothing" }
      let shown = Self.shown(scalar.string)
      return problems.isStrict && !isQuoted ? shown : "\"\(shown)\""
    case .sequence: return "a list"
    case .mapping: return isEmptyMapping ? "an empty mapping" : "a mapping"
    }
  }

  /// The beginning of a text, as much as an error has room for.
  static func shown(_ text: String) -> String {
    // One character may have any number of code points.
    let beginning = text.prefix(60).unicodeScalars.prefix(120)
    return beginning.endIndex < text.endIndex ? String(beginning) + "…" : text
  }

  /// True if a value is good, or stands in a recorded command.
  ///
  /// A recording has what was asked of a simulator, which refused what was bad, and refuses it again. So there names,
  /// topics and identifiers are any text, whatever else the recording says, tokens have any size, a tuple any time, a
  /// device any number of apps and one of them twice, and contents of a Live Activity any length.
  func accepts(_ isGood: @autoclosure () -> Bool) -> Bool { problems.isRecorded || isGood() }

  func report(_ message: String, suggestion: @autoclosure () -> String? = nil) {
    var length = 1
    if case .scalar(let scalar) = node {
      length = max(1, scalar.string.unicodeScalars.count + (isQuoted ? 2 : 0))
    }
    problems.add(
      DocumentProblem(location: location, length: length, message: message, suggestion: suggestion())
    )
  }

  /// Reports that something else was expected here.
  func mismatch(_ expected: String, suggestion: @autoclosure () -> String? = nil) {
    report("expected \(expected), found \(found)", suggestion: suggestion())
  }

  /// A scalar's text.
  func text(_ expected: String) -> String? {
    guard let scalar, !isNull, isQuoted || !problems.isStrict else {
      mismatch(expected)
      return nil
    }
    return scalar
  }

  /// `true` or `false`, also as `yes`, `no`, `on`, `off`.
  func flag(_ subject: String) -> Bool? {
    switch literal {
    case "true", "True", "TRUE", "yes", "on": return true
    case "false", "False", "FALSE", "no", "off": return false
    default:
      mismatch("true or false for \(subject)")
      return nil
    }
  }

  /// Reads `true` where `false` would be meaningless and is reported.
  func affirmation(_ subject: String) -> Bool {
    guard let isSo = flag(subject) else { return false }
    if !isSo { mismatch("true for \(subject)") }
    return isSo
  }

  /// The items of a list.
  func list(_ expected: String) -> [Value]? {
    guard case .sequence(let sequence) = node else {
      mismatch(expected)
      return nil
    }
    return sequence.map { Value(node: $0, problems: problems) }
  }

  /// One of a closed set of names.
  func choice<Choice: RawRepresentable & CaseIterable>(_ subject: String, of type: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    guard let scalar, let choice = Choice(rawValue: scalar) else {
      mismatch(
        "\(Enumeration.of(names)) for \(subject)",
        suggestion: scalar.flatMap { NearestName.find($0, among: names) }
      )
      return nil
    }
    return choice
  }
}
