/// All that a payload's presentation depends on: the app on the device, the user's languages, the edition's badge.
struct PresentationContext: Hashable, Sendable {
  var bundle: AppBundle
  /// The languages that the user prefers, best first; empty where nobody said, and then the app's fallback language counts.
  var languages: [String]
  var badgeAbsent: BadgeAbsence

  /// The presentation of a payload to the user; nil when a device drops it.
  func presentation(of payload: [UInt8]) -> Presentation? {
    Presentation(
      payload: payload,
      localization: Localization(
        preferred: languages,
        languages: bundle.localizations,
        developmentLanguage: bundle.developmentLanguage
      ),
      resources: bundle.resources,
      badgeAbsent: badgeAbsent
    )
  }
}
