import APNSimWire

extension JSONValue {
  /// The text of a member, fit for a terminal; empty where there is none.
  func text(_ key: String) -> String { member(key)?.plain ?? "" }

  /// The value for people: a string without its quotes, nothing for null, anything else as JSON.
  var plain: String {
    switch self {
    case .string(let text): TerminalText.visible(text)
    case .null: ""
    default: TerminalText.visible(description)
    }
  }

  /// An object of these members, without those that have no value.
  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}
