import APNSimWire

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
      localization: localization,
      resources: bundle.resources,
      badgeAbsent: badgeAbsent
    )
  }

  private var localization: Localization {
    Localization(
      preferred: languages,
      languages: bundle.localizations,
      developmentLanguage: bundle.developmentLanguage
    )
  }

  /// The text of a Live Activity's alert, whose title and body may be localized each by itself.
  func text(ofActivityAlert alert: JSONValue) -> String {
    var presenter = Presenter(localization: localization, resources: bundle.resources)
    let members: [JSONValue.Member] = [
      .init(key: "event", value: .string("update")), .init(key: "alert", value: alert),
    ]
    let shown = presenter.alert(of: .object(members))
    return [shown?.title, shown?.text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
