import APNSimCore
import APNSimWire

/// The kind of a notification's field, which decides how a plain value in a file is read for it.
enum FieldKind {
  case text
  case number
  /// A token in hex digits, or what was sent in place of one.
  case token
  case identifier
  case outcome
  case status
  /// The interface that a notification came in by.
  case interface
  /// A push type of Apple's.
  case pushType
  /// A reason of Apple's, as it is sent or documented.
  case reason
  /// Any JSON value, as a payload holds them.
  case json

  /// True where values can be numbers, so that `gt` and `lt` mean something.
  var canBeNumber: Bool {
    switch self {
    case .number, .status, .json: true
    case .text, .token, .identifier, .outcome, .interface, .pushType, .reason: false
    }
  }

  /// Reads the value to compare with; nil after reporting that the field can never have it.
  func plain(_ value: Value, _ subject: String) -> JSONValue? {
    switch self {
    case .text: return value.text("text for \(subject)").map { .string($0) }
    case .number: return value.decimal(subject).flatMap { _ in value.scalar.map { .number($0) } }
    case .token: return value.token(sizes: 0...100).map { .string(Hex.encode($0)) }
    case .identifier: return value.identifier().map { .string($0.hex) }
    case .status:
      if let number = value.scalar.flatMap({ Int($0) }), 256...599 ~= number { return .number("\(number)") }
      return value.status().map { .number("\($0.rawValue)") }
    case .json: return value.json
    case .outcome, .interface, .pushType, .reason:
      let names = names
      guard let text = value.scalar, names.contains(text) else {
        value.mismatch(
          "\(Enumeration.of(names)) for \(subject)",
          suggestion: value.scalar.flatMap { NearestName.find($0, among: names) }
        )
        return nil
      }
      return .string(text)
    }
  }

  /// Reads a part of the value, for `contains` and `startsWith`; the digits of hex fields become lower case.
  func part(_ value: Value, _ subject: String) -> String? {
    guard let text = value.text("text for \(subject)") else { return nil }
    switch self {
    case .token, .identifier: return text.lowercased()
    case .text, .number, .outcome, .status, .interface, .pushType, .reason, .json: return text
    }
  }

  /// The values of a field that has few; none of any other.
  var names: [String] {
    switch self {
    case .outcome: Outcome.allCases.map(\.description)
    case .interface: ["binary", "http2"]
    case .pushType: PushType.allCases.map(\.name)
    case .reason: ReasonRow.all.flatMap { [$0.name] + ($0.documentedName.map { [$0] } ?? []) }
    case .text, .number, .token, .identifier, .status, .json: []
    }
  }
}

extension FieldKind {
  /// The kind of a test of such a field.
  var test: ValueKind {
    MatcherReader.kind(name + "Test", meaning, value, canBeNumber: canBeNumber)
  }

  /// The kind of a test of a number that is always within a range.
  static func test(_ name: String, within range: ClosedRange<Int>) -> ValueKind {
    let meaning =
      "A test of a whole number from \(range.lowerBound) to \(range.upperBound): one, or operators."
    return MatcherReader.kind(name + "Test", meaning, .integer(range), canBeNumber: true)
  }

  /// The values that it can be compared with.
  private var value: ValueKind {
    switch self {
    case .text: .text
    case .number: .decimal
    case .token: .form(.anyToken)
    case .identifier: .form(.identifier)
    case .status: .status(upTo: 599)
    case .outcome, .interface, .pushType, .reason: .choice(names)
    case .json: .json
    }
  }

  private var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .token: "token"
    case .identifier: "identifier"
    case .status: "status"
    case .outcome: "outcome"
    case .interface: "interface"
    case .pushType: "pushType"
    case .reason: "reason"
    case .json: "json"
    }
  }

  private var meaning: String {
    switch self {
    case .text: "A test of a text: the text, or operators."
    case .number: "A test of a number: the number, or operators."
    case .token: "A test of a token: its hex digits, or operators."
    case .identifier: "A test of an identifier: 8 hex digits or a number, or operators."
    case .status: "A test of a status: a number or Apple's name, or operators."
    case .outcome: "A test of what became of a notification, or operators."
    case .interface: "A test of the interface that a notification came in by, or operators."
    case .pushType: "A test of a push type, or operators."
    case .reason: "A test of a reason of Apple's, as it is sent or documented, or operators."
    case .json: "A test of a value in a payload: the value, or operators."
    }
  }
}

extension FieldKind {
  /// A text that is no value of the kind.
  struct Mismatch: Error {
    var expected: String
    /// The names among which the one that was meant may be.
    var names: [String] = []
  }

  /// Reads a word of a query line as a value.
  func plain(_ text: String, isQuoted: Bool) -> Result<JSONValue, Mismatch> {
    switch self {
    case .text: return .success(.string(text))
    case .number:
      return Value.isJSONNumber(text) ? .success(.number(text)) : .failure(Mismatch(expected: "a number"))
    case .token:
      // The text that a path has in place of one is found, too.
      return .success(.string(text.lowercased()))
    case .identifier:
      if let identifier = NotificationIdentifier(hex: text) { return .success(.string(identifier.hex)) }
      guard let number = UInt32(text) else {
        return .failure(Mismatch(expected: "an identifier as 8 hex digits or as a number"))
      }
      return .success(.string(NotificationIdentifier(rawValue: number).hex))
    case .outcome, .interface, .pushType, .reason:
      let names = names
      guard names.contains(text) else {
        return .failure(Mismatch(expected: Enumeration.of(names), names: names))
      }
      return .success(.string(text))
    case .status:
      if let number = Int(text), 0...599 ~= number { return .success(.number(text)) }
      guard let status = StatusName.status(text) else {
        let expected = "a status from 0 to 599 or its name in Apple's documents"
        return .failure(Mismatch(expected: expected, names: StatusName.all))
      }
      return .success(.number("\(status.rawValue)"))
    case .json:
      guard !isQuoted else { return .success(.string(text)) }
      switch text {
      case "true": return .success(.bool(true))
      case "false": return .success(.bool(false))
      case "null": return .success(.null)
      default: return .success(Value.isJSONNumber(text) ? .number(text) : .string(text))
      }
    }
  }

  /// Returns the text as the field writes it: the digits of hex fields are lower case.
  func folded(_ text: String) -> String {
    switch self {
    case .token, .identifier: text.lowercased()
    case .text, .number, .outcome, .status, .interface, .pushType, .reason, .json: text
    }
  }
}
