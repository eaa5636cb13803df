import APNSimScenario
import APNSimWire

/// Redacts the values of lines by their place: tokens become pseudonyms, values to compare payloads with are filled
/// like payloads, and names and other words stay.
struct ValueRedactor {
  private let pseudonyms: TokenPseudonyms
  private let strings: StringFilling
  /// Fills the names of expectations, without searched texts, so that a name stays the same whatever rules come.
  private let names: StringFilling
  private let texts: RequestTexts

  init(_ pseudonyms: TokenPseudonyms, _ strings: StringFilling, _ texts: RequestTexts) {
    (self.pseudonyms, self.strings, self.texts) = (pseudonyms, strings, texts)
    names = StringFilling(pseudonyms)
  }

  private enum Place {
    /// Names, settings, times, and anything else that is no part of a payload.
    case plain
    /// The text of an expectation.
    case name
    /// A token, or a value to compare tokens with.
    case token
    /// A collapse identifier, or a value to compare one with.
    case collapseId
    /// Tests by their paths into the payload.
    case paths
    /// A test of a value of a payload: the value, or operators.
    case test
    /// A value of a payload.
    case payload
  }

  /// Collects the texts and bounds of tests, which must be known before payloads are filled.
  func seek(_ value: JSONValue) {
    for element in value.arrayValue ?? [] { seek(element) }
    for member in value.objectValue ?? [] {
      switch member.key {
      case "contains", "startsWith": if let text = member.value.stringValue { strings.seek(text) }
      case "gt", "lt": if let bound = member.value.doubleValue { strings.keepSides(of: bound) }
      default: break
      }
      seek(member.value)
    }
  }

  /// Redacts the value of a member of a line or of its header.
  func redacted(_ value: JSONValue, of key: String) -> JSONValue {
    redacted(value, key, place(of: key, in: .plain, of: ""))
  }

  /// Redacts the text of an expectation. A generated text repeats the query, which is filled.
  func redacted(name text: String) -> String {
    let line = text.prefix { $0 != ":" }
    let number = line.dropFirst("line ".count)
    guard line.hasPrefix("line "), !number.isEmpty, number.allSatisfy(\.isWholeNumber),
      let end = text.utf8.firstRange(of: Array(" with ".utf8))?.upperBound
    else { return pseudonyms.replaced(in: text) }
    return pseudonyms.replaced(in: String(text[..<end])) + names.filled(String(text[end...]))
  }

  // MARK: Values

  /// - Parameter key: the key of the member that contains it.
  private func redacted(_ value: JSONValue, _ key: String, _ place: Place) -> JSONValue {
    switch value {
    case .string(let text): return .string(redacted(text, key, place))
    case .number(let digits):
      guard Self.isOfPayload(place), !PayloadFiller.isCount(key) else { return value }
      return .number(strings.filled(wanted: digits))
    case .array(let elements):
      guard Self.isOfPayload(place) else { return .array(elements.map { redacted($0, key, place) }) }
      return .array(elements.map { redacted($0, "", .payload) })
    case .object(let members):
      return .object(
        members.map { member in
          let inner = self.place(of: member.key, in: place, of: key)
          return JSONValue.Member(
            key: redacted(key: member.key, in: place, isPath: Self.isOfPayload(inner)),
            value: redacted(member.value, subject(member.key, in: place, of: key), inner)
          )
        }
      )
    case .null, .bool: return value
    }
  }

  private func redacted(_ text: String, _ key: String, _ place: Place) -> String {
    switch place {
    case .plain: Self.headers[key].map { texts.text(text, of: $0) } ?? pseudonyms.replaced(in: text)
    case .collapseId: texts.text(text, of: "apns-collapse-id")
    case .name: redacted(name: text)
    case .token where key == "startsWith" || key == "contains":
      pseudonyms.of(beginning: text) ?? pseudonyms.replaced(in: text)
    case .token: pseudonyms.of(hex: text) ?? pseudonyms.replaced(in: text)
    case .paths, .test, .payload: strings.filled(text)
    }
  }

  /// The members of lines and tests that have the value of a header.
  private static let headers = [
    "topic": "apns-topic", "topics": "apns-topic", "apnsId": "apns-id", "pushType": "apns-push-type",
  ]

  private func redacted(key: String, in place: Place, isPath: Bool) -> String {
    switch place {
    case .plain, .name, .token, .collapseId:
      guard isPath, let dot = key.firstIndex(of: ".") else { return pseudonyms.replaced(in: key) }
      return key[...dot] + strings.filled(path: String(key[key.index(after: dot)...]))
    case .paths: return strings.filled(path: key)
    case .test: return MatcherReader.operators.contains(key) ? key : strings.filled(key: key)
    case .payload: return strings.filled(key: key)
    }
  }

  // MARK: Places

  private static func isOfPayload(_ place: Place) -> Bool {
    switch place {
    case .paths, .test, .payload: true
    case .plain, .name, .token, .collapseId: false
    }
  }

  /// The place of a member of an object that is the value of `key` at `place`.
  private func place(of member: String, in place: Place, of key: String) -> Place {
    switch place {
    case .plain:
      // A setting is called payload as well, and is no object.
      if key == "settings" { return .plain }
      if key == "expect", member == "name" { return .name }
      if member == "token" { return .token }
      if member == "collapseId" { return .collapseId }
      if member == "payload" { return .paths }
      // A query's short name for a part of the payload is a path into it as well.
      return member == "alert" || member.hasPrefix("payload.") ? .test : .plain
    case .token, .collapseId: return member == "matches" || member == "like" ? .plain : place
    case .paths: return .test
    case .test:
      switch member {
      case "matches", "like", "gt", "lt", "size", "exists": return .plain
      case "not": return .test
      default: return .payload
      }
    case .name, .payload: return place
    }
  }

  /// The key of a value in the payload: for a test the end of its path.
  private func subject(_ member: String, in place: Place, of key: String) -> String {
    switch place {
    case .plain where member.hasPrefix("payload."), .paths:
      member.split(separator: ".").last.map { String($0) } ?? member
    case .test where member == "equals" || member == "not": key
    default: member
    }
  }
}
