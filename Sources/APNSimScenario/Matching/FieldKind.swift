import APNSimCore
import APNSimWire

/// What a field of a notification holds, and so how a plain value in a file is read for it.
enum FieldKind {
  case text
  case number
  /// A token in hex digits.
  case token
  case identifier
  case outcome
  case status
  /// Anything that JSON can be: what stands in a payload.
  case json

  /// Whether a value can be a number, on one side of another one.
  var canBeNumber: Bool {
    switch self {
    case .number, .status, .json: true
    case .text, .token, .identifier, .outcome: false
    }
  }

  /// The value that is to be there; nil after reporting that it cannot be.
  func plain(_ value: Value, _ subject: String) -> JSONValue? {
    switch self {
    case .text: return value.text("text for \(subject)").map { .string($0) }
    case .number: return value.decimal(subject).flatMap { _ in value.scalar.map { .number($0) } }
    case .token: return value.token(sizes: 0...100).map { .string(Hex.encode($0)) }
    case .identifier: return value.identifier().map { .string($0.hex) }
    case .status: return value.status().map { .number("\($0.rawValue)") }
    case .json: return value.json
    case .outcome:
      let names = Outcome.allCases.map(\.description)
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

  /// A part of the value, as `contains` and `startsWith` name it; the digits of hex fields are lower case.
  func part(_ value: Value, _ subject: String) -> String? {
    guard let text = value.text("text for \(subject)") else { return nil }
    switch self {
    case .token, .identifier: return text.lowercased()
    case .text, .number, .outcome, .status, .json: return text
    }
  }
}
