/// The parts of an app that a notification can name: strings in its languages, sounds, images.
package struct AppBundle: Hashable, Sendable {
  /// The app's `.lproj` directories with their `Localizable.strings`.
  package var localizations: [Localization.Language]
  package var developmentLanguage: String?
  package var resources: AppResources

  package init(
    localizations: [Localization.Language] = [],
    developmentLanguage: String? = nil,
    resources: AppResources = AppResources()
  ) {
    self.localizations = localizations
    self.developmentLanguage = developmentLanguage
    self.resources = resources
  }
}

/// The names in an app's bundle, besides its strings, that a payload can point at.
package struct AppResources: Hashable, Sendable {
  /// The sound files; nil when nobody said, and then every named sound is taken to be there.
  package var sounds: Set<String>?
  /// The image files; nil when nobody said.
  package var images: Set<String>?
  /// `UILaunchImageFile` of the app's `Info.plist`; `Default.png` where it has none.
  package var launchImageFile: String?

  package init(
    sounds: Set<String>? = nil,
    images: Set<String>? = nil,
    launchImageFile: String? = nil
  ) {
    self.sounds = sounds
    self.images = images
    self.launchImageFile = launchImageFile
  }

  /// The image an app starts with when no payload names one. The guide also knows "the previous snapshot", which
  /// only a running device has.
  var launchImage: String { launchImageFile ?? "Default.png" }

  /// The image file a `launch-image` names: "it may include the extension or omit it" (Local and Push Notification
  /// Programming Guide 2011-08-09, Table 3-2). Nil when the app is known not to have it.
  func image(named name: String) -> String? {
    guard let images else { return name }
    if images.contains(name) { return name }
    return images.filter { Self.withoutExtension($0) == name }.min()
  }

  /// A sound file of that name with another extension, or with one at all: what a typing mistake may have meant.
  func sound(like name: String) -> String? {
    sounds?.filter { Self.withoutExtension($0) == Self.withoutExtension(name) }.min()
  }

  private static func withoutExtension(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
  }
}
