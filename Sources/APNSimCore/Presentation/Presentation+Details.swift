package import APNSimWire

// Source: "Generating a remote notification", Tables 1 to 3.

extension Presentation {
  /// A sound that is played although the device is silent, as `{"critical":1,"name":"alarm.caf","volume":0.5}` asks.
  package struct CriticalSound: Hashable, Sendable {
    /// As the payload has it, from 0 to 1; nil for the full one.
    package var volume: String?

    package init(volume: String? = nil) { self.volume = volume }
  }

  /// The keys of `aps` that say where and how a notification is shown; nil where the payload has none.
  package struct Details: Hashable, Sendable {
    /// Notifications of one thread are grouped.
    package var threadID: String?
    /// The category whose buttons are shown.
    package var category: String?
    /// The window that is brought forward.
    package var targetContentID: String?
    /// `mutable-content` is 1: the app's service extension may change it before it is shown.
    package var isMutable = false
    /// `passive`, `active`, `time-sensitive` or `critical`.
    package var interruptionLevel: String?
    /// As the payload has it.
    package var relevanceScore: String?
    /// The criteria for the app's Focus filter.
    package var filterCriteria: String?

    package init() {}

    package static let interruptionLevels = ["passive", "active", "time-sensitive", "critical"]
  }
}

extension Presentation.CriticalSound: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("volume", "From 0 to 1.", .least(0), .most(1)) { NumberText($0.volume ?? "1") }
  }
}

extension Presentation.Details: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("interruptionLevel", "Where the payload has it.", .words(interruptionLevels)) {
      $0.interruptionLevel
    }
    $0.optional("relevanceScore", "As the payload has it.") { $0.relevanceScore.map { NumberText($0) } }
    $0.optional("threadId", "By which it is grouped.") { $0.threadID }
    $0.optional("category", "Whose buttons are shown.") { $0.category }
    $0.optional("targetContentId", "The window that is brought forward.") { $0.targetContentID }
    $0.optional("filterCriteria", "What the app's Focus filter is asked about.") { $0.filterCriteria }
    $0.optional("mutableContent", "The app's service extension may change it.") { $0.isMutable ? true : nil }
  }
}

extension Presenter {
  /// - Parameter isSilent: no sound comes with it.
  mutating func details(of aps: JSONValue, isSilent: Bool) -> Presentation.Details {
    var details = Presentation.Details()
    details.threadID = string("thread-id", of: aps)
    details.category = string("category", of: aps)
    details.targetContentID = string("target-content-id", of: aps)
    details.filterCriteria = string("filter-criteria", of: aps)
    details.isMutable = isMutable(aps)
    details.relevanceScore = relevanceScore(of: aps)
    guard let level = string("interruption-level", of: aps) else { return details }
    let levels = Presentation.Details.interruptionLevels
    guard levels.contains(level) else {
      remark(
        "interruption-level '\(level)' is none of \(levels.joined(separator: ", ")): the device ignores it"
      )
      return details
    }
    details.interruptionLevel = level
    if level == "passive", !isSilent {
      remark("interruption-level passive: the notification lights no screen and plays no sound")
    }
    return details
  }

  /// A service extension is asked only about what is shown.
  private mutating func isMutable(_ aps: JSONValue) -> Bool {
    guard let value = aps.member("mutable-content") else { return false }
    guard case .number = value else {
      remark("mutable-content is not a number: the device ignores it")
      return false
    }
    guard value.intValue == 1 else { return false }
    if aps.member("alert") == nil {
      remark("mutable-content without an alert: the service extension is not run")
    }
    return true
  }

  /// From 0 to 1; any number for a Live Activity.
  private mutating func relevanceScore(of aps: JSONValue) -> String? {
    guard let value = aps.member("relevance-score") else { return nil }
    guard case .number(let text) = value, let score = Double(text) else {
      remark("relevance-score is not a number: the device ignores it")
      return nil
    }
    guard aps.member("event") != nil || (0...1).contains(score) else {
      remark("relevance-score \(text) is not from 0 to 1: the device ignores it")
      return nil
    }
    return text
  }

  /// `{"critical":1,"name":"alarm.caf","volume":0.5}`
  mutating func sound(ofDictionary value: JSONValue) -> (Presentation.Sound, Presentation.CriticalSound?) {
    let name = string("name", of: value)
    if name == nil, value.member("name") == nil { remark("sound has no name: the default sound is played") }
    let sound = sound(named: name ?? "default")
    guard value.member("critical")?.intValue == 1 else {
      if value.member("volume") != nil {
        remark("sound.volume is of critical alerts only: the device ignores it")
      }
      return (sound, nil)
    }
    guard let volume = value.member("volume") else { return (sound, .init()) }
    guard case .number(let text) = volume, let level = Double(text), (0...1).contains(level) else {
      remark("sound.volume is not a number from 0 to 1: the device ignores it")
      return (sound, .init())
    }
    return (sound, .init(volume: text))
  }
}
