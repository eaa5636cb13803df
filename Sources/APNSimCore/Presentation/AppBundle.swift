/// What an app brings along that a notification can name: strings in its languages, sounds, images.
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
