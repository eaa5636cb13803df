import APNSimCore
import APNSimWire

/// A setting that a file may have, the core's or, in a `--config` file, the server's, with the check of its value.
package struct KnownSetting: Sendable {
  package let name: String
  /// The values that are allowed, for people: `strict, lenient`.
  package let values: String
  /// A sentence on it, and the values as a file may have them; the schema knows those of scenarios.
  let help: String
  let kind: ValueKind
  /// Returns what was expected where a text does not fit; nil where it does.
  let refusal: @Sendable (String) -> String?

  package init(name: String, values: String, refusal: @escaping @Sendable (String) -> String?) {
    self.init(name: name, values: values, help: "", kind: .text, refusal: refusal)
  }

  private init(
    name: String,
    values: String,
    help: String,
    kind: ValueKind,
    refusal: @escaping @Sendable (String) -> String?
  ) {
    (self.name, self.values, self.help, self.kind, self.refusal) = (name, values, help, kind, refusal)
  }

  /// The settings of the core's table.
  package static let core: [KnownSetting] = Setting.all.map { setting in
    KnownSetting(
      name: setting.name,
      values: setting.values,
      help: setting.help,
      kind: kind(of: setting.form)
    ) { text in
      var scratch = Configuration()
      do throws(SettingFailure) {
        try setting.apply(text, to: &scratch)
        return nil
      } catch {
        return Enumeration.of(values: error.expected)
      }
    }
  }

  private static func kind(of form: SettingForm) -> ValueKind {
    switch form {
    case .text: .either([.text, .list(.text)])
    case .choice(let names): .choice(names)
    case .toggle: .flag
    case .number(let range): .integer(range)
    case .span: .duration
    case .names(let names, let empty):
      .either([
        .choice(names + (empty.map { [$0] } ?? [])), .form(list("namesOf", names, orNone: empty != nil)),
        .list(.choice(names + (empty.map { [$0] } ?? []))),
      ])
    case .numbers(let range):
      .either([
        .integer(range), .form(list("numbers", range.map { "\($0)" })),
        .list(.integer(range), counts: 1...Int.max),
      ])
    }
  }

  /// Several of some words, with commas between them.
  private static func list(_ name: String, _ words: [String], orNone: Bool = false) -> TextForm {
    let word = "\\s*(?:\(words.joined(separator: "|")))\\s*"
    return TextForm(
      name + (words.first ?? "").prefix(1).uppercased() + (words.first ?? "").dropFirst(),
      "\(Enumeration.of(words)), or several with commas between them",
      pattern: "(?:\(word)(?:,\(word))*)\(orNone ? "?" : "")"
    )
  }

  /// Reads one `name: value` of a file. A list stands for its items with commas between them.
  /// - Returns: nil after reporting an unknown name or a value that does not fit.
  static func read(_ entry: Entry, among settings: [KnownSetting]) -> SettingAssignment? {
    guard let setting = settings.first(where: { $0.name == entry.name }) else {
      entry.key.report(
        "unknown setting \"\(entry.name)\"",
        suggestion: NearestName.find(entry.name, among: settings.map(\.name))
      )
      return nil
    }
    let text: String
    if case .sequence = entry.value.node {
      let items = (entry.value.list("a list") ?? []).map { $0.text("a value of \(entry.name)") }
      guard !items.contains(nil) else { return nil }
      text = items.compactMap { $0 }.joined(separator: ",")
    } else {
      guard let scalar = entry.value.text("\(Enumeration.of(values: setting.values)) for \(setting.name)")
      else { return nil }
      text = scalar
    }
    if let expected = setting.refusal(text) {
      entry.value.report(
        "\(setting.name): expected \(expected), found \(KeyText.hasKey(text) ? KeyText.words : "\"\(Value.shown(text))\"")"
      )
      return nil
    }
    return SettingAssignment(name: setting.name, text: text)
  }
}
