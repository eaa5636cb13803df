import APNSimCore
import APNSimSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the resources with which an app shows its notifications:
///
///     localizations: strings                       # a directory with fr.lproj/Localizable.strings and others
///     localizations: { fr: fr/Localizable.strings, en: en/Localizable.strings }
///     developmentLanguage: en
///     sounds: [chime.aiff]
///     images: [Default.png, play.png]
///     launchImage: Default.png
///
/// Paths are relative to the scenario file. A scenario that is no file (a request's body) can name no files.
enum AppBundleReader {
  static let rows = [
    Noun.Row(
      "localizations",
      .either([.text, .names(.text, most: languageLimit)]),
      "A directory of .lproj directories, or languages with their Localizable.strings, relative to this file."
    ),
    Noun.Row("developmentLanguage", .text, "The language that is shown where the user's is not there."),
    Noun.Row("sounds", .list(.text), "The sound files that the app has."),
    Noun.Row("images", .list(.text), "The image files that the app has."),
    Noun.Row("launchImage", .text, "The image that the app is launched with."),
  ]

  private static let languageLimit = 200

  /// Returns nil for an app without such keys; problems are reported.
  static func read(_ fields: Fields) -> AppBundle? {
    guard rows.contains(where: { fields[$0.key] != nil }) else { return nil }
    return AppBundle(
      localizations: fields["localizations"].map(localizations) ?? [],
      developmentLanguage: fields["developmentLanguage"].flatMap { $0.text("a language such as en") },
      resources: AppResources(
        sounds: fields["sounds"].map { Set(names($0, "a list of sound files, such as [chime.aiff]")) },
        images: fields["images"].map { Set(names($0, "a list of image files, such as [Default.png]")) },
        launchImageFile: fields["launchImage"].flatMap { $0.text("an image file such as Default.png") }
      )
    )
  }

  /// The items of a list of names.
  static func names(_ value: Value, _ expected: String) -> [String] {
    (value.list(expected) ?? []).compactMap { $0.text(expected) }
  }

  private static func localizations(_ value: Value) -> [Localization.Language] {
    guard let folder = folder(of: value) else { return [] }
    guard let path = value.scalar, !value.isNull else {
      let expected = "a directory of .lproj directories, or languages with their Localizable.strings"
      let entries = value.entries(expected)
      guard hasRoom(for: entries.count, at: value) else { return [] }
      return entries.compactMap { entry in
        guard let path = entry.value.text("the path of a Localizable.strings") else { return nil }
        return language(entry.name, folder.appendingPathComponent(path), at: entry.value)
      }
    }
    let directory = folder.appendingPathComponent(path)
    let entries: [String]
    do throws(SystemError) {
      entries = try SystemFolder.names(in: directory.path)
    } catch {
      value.report("\(path) cannot be read: \(error.text)")
      return []
    }
    let ending = ".lproj"
    let found = entries.filter { $0.hasSuffix(ending) }
    if found.isEmpty { value.report("\(path) has no \(ending) directories, such as en.lproj") }
    guard hasRoom(for: found.count, at: value) else { return [] }
    return found.compactMap { name in
      let file = directory.appendingPathComponent(name).appendingPathComponent("Localizable.strings")
      return language(String(name.dropLast(ending.count)), file, at: value)
    }
  }

  private static func hasRoom(for count: Int, at value: Value) -> Bool {
    if count > languageLimit {
      value.report("expected at most \(languageLimit) languages for an app, found \(count)")
    }
    return count <= languageLimit
  }

  private static func language(_ name: String, _ file: URL, at value: Value) -> Localization.Language? {
    do {
      let bytes = try SystemPath.bytes(of: file.path, upTo: LocalizableStrings.maximumByteCount + 1)
      return Localization.Language(name, try LocalizableStrings.parse(bytes))
    } catch let error as LocalizableStringsError {
      value.report("\(file.lastPathComponent) of \(name): \(error)")
    } catch {
      let reason = (error as? SystemError)?.text ?? "\(error)"
      value.report("\(file.lastPathComponent) of \(name) cannot be read: \(reason)")
    }
    return nil
  }

  /// The directory of the scenario file.
  private static func folder(of value: Value) -> URL? {
    let source = value.problems.source.name
    guard SystemPath.exists(source) else {
      value.report("strings can be named only in a scenario file, and this is \"\(source)\"")
      return nil
    }
    return URL(fileURLWithPath: source).deletingLastPathComponent()
  }
}
