internal import APNSimWire

extension Presentation {
  /// What a device makes of a payload; nil when it is not a JSON dictionary, which a device drops.
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
    let sound = presenter.sound(of: aps)
    let launchImage = presenter.launchImage(of: aps, for: alert)
    presenter.remarkOnKeys(of: aps)

    self.alert = alert
    self.sound = sound
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
