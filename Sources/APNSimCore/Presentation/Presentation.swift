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

extension Presentation {
  /// Writes the members of the presentation object, which the caller has begun:
  ///
  ///     {"alert":{"text":"Jenna and Frank have invited you to play Monopoly","buttons":["Close","View"],
  ///      "language":"en"},"badge":null,"sound":"chime","launchImage":"Default.png","contentAvailable":false,
  ///      "custom":{"acme":"foo"},"remarks":[]}
  ///
  /// `alert` is null when there is none. `badge` is the number that is set, 0 when the badge is removed and null
  /// when it stays. `sound` is a file, `"default"` or null. `launchImage` is null when no button launches the app.
  /// `title` and `subtitle` of the alert, `criticalSound` and what ``Details`` has are there where the payload has them.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("alert")
    if let alert { alert.write(to: &writer) } else { writer.null() }
    writer.key("badge")
    switch badge {
    case .set(let number): writer.int(number)
    case .removed: writer.int(0)
    case .unchanged: writer.null()
    }
    writer.key("sound")
    switch sound {
    case .silent: writer.null()
    case .standard: writer.string("default")
    case .file(let name): writer.string(name)
    }
    if let criticalSound { criticalSound.writeMember(to: &writer) }
    details.writeMembers(to: &writer)
    writer.member("launchImage", launchImage)
    writer.member("contentAvailable", isContentAvailable)
    writer.key("custom")
    writer.value(.object(custom))
    writer.member("remarks", remarks)
  }
}

extension Presentation.Alert {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let title { writer.member("title", title) }
    if let subtitle { writer.member("subtitle", subtitle) }
    writer.member("text", text)
    writer.member("buttons", buttons)
    writer.member("language", language)
    writer.endObject()
  }
}
