import APNSimWire

/// Makes the parts of a ``Presentation`` from an `aps` dictionary, and remarks on what a device would not tell.
struct Presenter {
  let localization: Localization
  let resources: AppResources
  private(set) var remarks: [String] = []

  init(localization: Localization, resources: AppResources) {
    self.localization = localization
    self.resources = resources
  }

  // MARK: Alert

  mutating func alert(of aps: JSONValue) -> Presentation.Alert? {
    switch aps.member("alert") {
    case nil: return nil
    case .string(let text)?: return shown(Presentation.Alert(text: text, buttons: ["Close", "View"]))
    case .object?: break
    default:
      remarks.append("alert is neither a string nor a dictionary: the device ignores it")
      return nil
    }
    guard let value = aps.member("alert") else { return nil }
    var alert = Presentation.Alert(text: "", buttons: [])
    if aps.member("event") != nil { return activityAlert(value) }
    alert.title = line("title", of: value, language: &alert.language)
    alert.subtitle = line("subtitle", of: value, language: &alert.language)
    alert.text = text(of: value, language: &alert.language)
    alert.buttons = buttons(of: value, language: &alert.language)
    return shown(alert)
  }

  /// The alert of a Live Activity: title and body are texts, or dictionaries of `loc-key` and `loc-args` (DOC).
  private mutating func activityAlert(_ value: JSONValue) -> Presentation.Alert {
    var alert = Presentation.Alert(text: "", buttons: [])
    alert.title = activityText("title", of: value, language: &alert.language)
    alert.text = activityText("body", of: value, language: &alert.language) ?? ""
    return shown(alert)
  }

  private mutating func activityText(_ name: String, of alert: JSONValue, language: inout String?) -> String?
  {
    guard let value = alert.member(name), value.objectValue != nil else {
      return name == "body"
        ? text(of: alert, language: &language) : line(name, of: alert, language: &language)
    }
    guard let key = string("loc-key", of: value) else {
      remarks.append("\(name) is a dictionary without loc-key: the device shows nothing of it")
      return nil
    }
    let format = localized(key, for: "\(name).loc-key", language: &language)
    let filled = LocalizedFormat(format, arguments: arguments("loc-args", of: value))
    remarks += filled.remarks
    return filled.text
  }

  private mutating func shown(_ alert: Presentation.Alert) -> Presentation.Alert {
    if alert.text.isEmpty, alert.title ?? "" == "", alert.subtitle ?? "" == "" {
      remarks.append("the alert has no text")
    }
    return alert
  }

  /// The message: `loc-key` where there is one, else `body`.
  private mutating func text(of alert: JSONValue, language: inout String?) -> String {
    localizable("body", key: "loc-key", arguments: "loc-args", of: alert, language: &language) ?? ""
  }

  /// The title or the subtitle: `title-loc-key` where there is one, else `title`; nil without either.
  private mutating func line(_ name: String, of alert: JSONValue, language: inout String?) -> String? {
    localizable(
      name,
      key: "\(name)-loc-key",
      arguments: "\(name)-loc-args",
      of: alert,
      language: &language
    )
  }

  private mutating func localizable(
    _ plain: String,
    key name: String,
    arguments: String,
    of alert: JSONValue,
    language: inout String?
  ) -> String? {
    let text = string(plain, of: alert)
    guard let key = string(name, of: alert) else { return text }
    if text != nil { remarks.append("\(name) takes precedence over \(plain)") }
    let format = localized(key, for: name, language: &language)
    let filled = LocalizedFormat(format, arguments: self.arguments(arguments, of: alert))
    remarks += filled.remarks
    return filled.text
  }

  private mutating func arguments(_ name: String, of alert: JSONValue) -> [String] {
    guard let value = alert.member(name) else { return [] }
    let strings = value.arrayValue?.compactMap(\.stringValue)
    guard let strings, strings.count == value.arrayValue?.count else {
      remarks.append("\(name) is not an array of strings: the device ignores it")
      return []
    }
    return strings
  }

  /// "iOS uses the string as a key to get a localized string in the current localization to use for the right
  /// button's title"; null is "a single OK button" (Table 3-2; the edition of 2013 does not say what null does).
  private mutating func buttons(of alert: JSONValue, language: inout String?) -> [String] {
    guard let value = alert.member("action-loc-key") else { return ["Close", "View"] }
    if value == .null { return ["OK"] }
    guard let key = string("action-loc-key", of: alert) else { return ["Close", "View"] }
    let title = localized(key, for: "action-loc-key", language: &language)
    return ["Close", LocalizedFormat.beginning(of: title)]
  }

  /// The current localization's string for a key, or the key itself.
  private mutating func localized(_ key: String, for name: String, language: inout String?) -> String {
    let current = localization.current
    language = current?.name
    if let string = current?.strings[key] { return string }
    guard let current else {
      remarks.append("the app has no Localizable.strings: \(name) '\(key)' stands for itself")
      return key
    }
    var remark = "\(name) '\(key)' is not in the Localizable.strings of \(current.name) and stands for itself"
    let others = localization.languages.filter { $0.strings[key] != nil }.map(\.name)
    if !others.isEmpty { remark += "; it is in \(others.joined(separator: ", "))" }
    remarks.append(remark)
    return key
  }

  // MARK: Sound and image

  /// "If the sound file doesn't exist or `default` is specified as the value, the default alert sound is played"
  /// (Table 3-1). No file has an empty name.
  mutating func sound(of aps: JSONValue) -> (Presentation.Sound, Presentation.CriticalSound?) {
    if let value = aps.member("sound"), value.objectValue != nil { return sound(ofDictionary: value) }
    // The sound of a Live Activity stands inside its alert (DOC).
    let place = aps.member("event") == nil ? aps : aps.member("alert") ?? aps
    guard let name = string("sound", of: place) else { return (.silent, nil) }
    return (sound(named: name), nil)
  }

  mutating func sound(named name: String) -> Presentation.Sound {
    if name == "default" || name.isEmpty { return .standard }
    guard let sounds = resources.sounds, !sounds.contains(name) else { return .file(name) }
    let similar = resources.sound(like: name).map { " (it has '\($0)')" } ?? ""
    remarks.append("the app has no sound '\(name)'\(similar): the default sound is played")
    return .standard
  }

  mutating func launchImage(of aps: JSONValue, for alert: Presentation.Alert?) -> String? {
    guard let alert, alert.launchesApp else { return nil }
    guard let value = aps.member("alert"), let name = string("launch-image", of: value) else {
      return resources.launchImage
    }
    if let image = resources.image(named: name) { return image }
    remarks.append("the app has no image '\(name)': its own launch image is used")
    return resources.launchImage
  }

  // MARK: What is not shown

  mutating func remarkOnKeys(of aps: JSONValue) {
    guard let members = aps.objectValue else {
      remarks.append("aps is not a dictionary: nothing is shown")
      return
    }
    for key in ["timestamp", "stale-date", "dismissal-date"] {
      guard let value = aps.member(key)?.intValue, value >= Self.leastMilliseconds else { continue }
      remarks.append(
        "aps.\(key) \(value) is in milliseconds: it is seconds since 1970, and later ones in seconds are older"
      )
    }
    for key in ["badge", "content-available"] {
      guard let value = aps.member(key) else { continue }
      if case .number = value { continue }
      remarks.append("\(key) is not a number: the device ignores it")
    }
    for member in members where !Self.known.contains(member.key) {
      remarks.append(
        "aps.\(member.key) is no key that Apple documents: the system ignores it, the app may read it"
      )
      break
    }
  }

  /// The keys that Apple documents: of Table 3-1 and of later systems, those of Live Activities, widgets, controls, push to
  /// talk and Safari among them.
  private static let known: Set = [
    "alert", "badge", "sound", "content-available", "thread-id", "category", "mutable-content",
    "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria", "stale-date", "content-state", "timestamp",
    "event",
    "dismissal-date", "attributes-type", "attributes", "input-push-token", "input-push-channel",
    "content-changed", "ptt-push-type", "url-args",
  ]

  /// A number of seconds from here on is a time in the year 5138 or later.
  private static let leastMilliseconds = 100_000_000_000

  mutating func remark(_ text: String) { remarks.append(text) }

  /// A member that must be a string.
  mutating func string(_ key: String, of value: JSONValue) -> String? {
    guard let member = value.member(key) else { return nil }
    if let string = member.stringValue { return string }
    remarks.append("\(key) is not a string: the device ignores it")
    return nil
  }
}
