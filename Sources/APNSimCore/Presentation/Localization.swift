/// The languages of one user and of one app, and the localization that comes of them.
///
/// A string "is localized for the language currently selected by the user" (Local and Push Notification Programming
/// Guide 2011-08-09, "Localized Formatted Strings"): one `.lproj` directory is current, and only that one is asked.
/// It is that of the first preferred language the app has, exactly (`pt-BR`) or without its region (`pt`). "If the
/// preferred language is not one the application supports", it is "a widely spoken fallback language" ("Passing the
/// Provider the Current Language Preference"): the app's development language, else English, else the app's first.
///
/// A key that the current localization lacks is its own string, as `NSLocalizedString` has it, even if another
/// language knows it.
package struct Localization: Hashable, Sendable {
  /// One `.lproj` directory of the app.
  package struct Language: Hashable, Sendable {
    /// A BCP 47 identifier, or an old English name as in `Spanish.lproj`; shown as it is written.
    package var name: String
    package var strings: LocalizableStrings

    package init(_ name: String, _ strings: LocalizableStrings) {
      self.name = name
      self.strings = strings
    }
  }

  /// The languages that the user prefers, best first.
  package var preferred: [String]
  /// The languages that the app has, in the order they were given.
  package var languages: [Language]
  package var developmentLanguage: String?

  package init(preferred: [String] = [], languages: [Language] = [], developmentLanguage: String? = nil) {
    self.preferred = preferred
    self.languages = languages
    self.developmentLanguage = developmentLanguage
  }

  /// The language everything is shown in; nil for an app without any.
  package var current: Language? {
    for name in preferred + [developmentLanguage, "en"].compactMap(\.self) {
      if let language = language(for: name) { return language }
    }
    return languages.first
  }

  /// The language named so, or the same without its region, script and so on.
  private func language(for name: String) -> Language? {
    var tags = Self.tags(of: name)
    while !tags.isEmpty {
      if let found = languages.first(where: { Self.tags(of: $0.name) == tags }) { return found }
      tags.removeLast()
    }
    return nil
  }

  private static func tags(of name: String) -> [Substring] {
    let name = name.lowercased()
    return (oldNames[name] ?? name).split { $0 == "-" || $0 == "_" }
  }

  /// The directories of the first localizations had English names.
  private static let oldNames = [
    "dutch": "nl", "english": "en", "french": "fr", "german": "de", "italian": "it", "japanese": "ja",
    "spanish": "es",
  ]
}
