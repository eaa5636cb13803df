import APNSimCore
import APNSimTestSupport
import Foundation

/// The strings files that ship with the project.
enum StringsFixture {
  static func parse(_ language: String) throws -> LocalizableStrings {
    try LocalizableStrings.parse(Array(Fixtures.data("strings/\(language).lproj/Localizable.strings")))
  }

  static func localization(_ preferred: String...) throws -> Localization {
    try Localization(
      preferred: preferred,
      languages: ["en", "fr", "Spanish"].map { .init($0, try parse($0)) }
    )
  }
}
