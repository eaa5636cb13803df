package import APNSimWire

/// A notification as the user of a device would see and hear it while its app is not running, as data.
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, "The Notification Payload", Tables 3-1 and 3-2,
/// and "Localized Formatted Strings". A running app gets the payload itself instead, and nothing is shown.
package struct Presentation: Hashable, Sendable {
  package var alert: Alert?
  package var badge: Badge
  package var sound: Sound
  /// The sound breaks through silence, at a volume; nil for an ordinary one.
  package var criticalSound: CriticalSound?
  /// The keys of later systems.
  package var details: Details
  /// The image the app starts with when the user taps the action button; nil when there is no such button.
  package var launchImage: String?
  /// `content-available` is 1: the app may fetch what is new (2013, Table 3-1).
  package var isContentAvailable: Bool
  /// The values that the app finds outside `aps`, in the order it was written; of equal names the last.
  package var custom: [JSONValue.Member]
  /// Results that the payload's author may not expect, in plain English.
  package var remarks: [String]

  /// A standard alert.
  package struct Alert: Hashable, Sendable {
    package var text: String
    /// Above the text; nil without one.
    package var title: String?
    package var subtitle: String?
    /// From left to right: Close and an action, or OK alone.
    package var buttons: [String]
    /// The localization its strings were looked up in; nil when none was looked up or the app has none.
    package var language: String?

    package init(
      text: String,
      title: String? = nil,
      subtitle: String? = nil,
      buttons: [String],
      language: String? = nil
    ) {
      (self.text, self.title, self.subtitle) = (text, title, subtitle)
      self.buttons = buttons
      self.language = language
    }

    /// True if tapping something launches the app.
    package var launchesApp: Bool { buttons.count > 1 }
  }

  /// The change of the number on the app's icon.
  package enum Badge: Hashable, Sendable {
    case set(Int)
    case removed
    case unchanged
  }

  package enum Sound: Hashable, Sendable {
    case silent
    /// The default alert sound.
    case standard
    /// A sound file of the app.
    case file(String)
  }
}

extension Presentation {
  /// The presentation that a device makes of a payload; nil when it is not a JSON dictionary, which a device drops.
  ///
  /// Where the guide is silent:
  /// - A value of another type than the tables give is ignored, like a key that is not there.
  /// - The alert is shown because it "is included", even without any text.
  /// - A badge of 0 or less removes the badge, in every edition.
  /// - A payload without an `aps` dictionary (MDM, Wallet) shows nothing, and is one without `badge`.
  /// - The titles Close, View and OK are the system's and stay English.
  package init?(
    payload: [UInt8],
    localization: Localization = Localization(),
    resources: AppResources = AppResources(),
    badgeAbsent: BadgeAbsence = .keep
  ) {
    guard let root = try? JSONValue.parse(payload), let members = root.objectValue else { return nil }
    let facts = payload.withUnsafeBytes { PayloadJudge.judge($0) }.facts
    let aps = root.member("aps") ?? .object([])

    var presenter = Presenter(localization: localization, resources: resources)
    let alert = presenter.alert(of: aps)
    let (sound, criticalSound) = presenter.sound(of: aps)
    let details = presenter.details(of: aps, isSilent: sound == .silent)
    let launchImage = presenter.launchImage(of: aps, for: alert)
    presenter.remarkOnKeys(of: aps)

    self.alert = alert
    self.sound = sound
    self.criticalSound = criticalSound
    self.details = details
    self.launchImage = launchImage
    if facts.hasBadge {
      badge = facts.badge > 0 ? .set(facts.badge) : .removed
    } else {
      badge = badgeAbsent == .clear ? .removed : .unchanged
    }
    isContentAvailable = facts.hasContentAvailable && facts.contentAvailable == 1
    custom = Self.last(of: members.filter { $0.key != "aps" })
    remarks = presenter.remarks
  }

  /// Of members with equal names only the last, each in its place.
  private static func last(of members: [JSONValue.Member]) -> [JSONValue.Member] {
    var seen = Set<String>()
    return members.reversed().filter { seen.insert($0.key).inserted }.reversed()
  }
}

extension Presentation: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("alert", "Null where none is shown.") { $0.alert }
    $0.member(
      "badge",
      "The number that is set, 0 where the badge is removed, null where it stays.",
      .least(0)
    ) {
      switch $0.badge {
      case .set(let number): number
      case .removed: 0
      case .unchanged: nil as Int?
      }
    }
    $0.member("sound", "A file of the app, `default`, or null for silence.") {
      switch $0.sound {
      case .silent: nil as String?
      case .standard: "default"
      case .file(let name): name
      }
    }
    $0.optional("criticalSound", "The sound breaks through silence.") { $0.criticalSound }
    $0.members { $0.details }
    $0.member("launchImage", "Null where no button launches the app.") { $0.launchImage }
    $0.member("contentAvailable", "The app may fetch what is new.") { $0.isContentAvailable }
    $0.member("custom", "What the app finds outside `aps`.", schema: .type("object")) {
      $1.value(.object($0.custom))
    }
    $0.list("remarks", "Results that the payload's author may not expect.") { $0.remarks }
  }
}

extension Presentation.Alert: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("title") { $0.title }
    $0.optional("subtitle") { $0.subtitle }
    $0.member("text") { $0.text }
    $0.list("buttons", "From left to right.") { $0.buttons }
    $0.member("language", "The localization its strings were looked up in; null without one.") { $0.language }
  }
}
