import APNSimWire

extension Presentation {
  /// The reason why no screen shows it, as a sentence; nil where there is an alert.
  /// - Parameter root: the payload.
  func reasonForNoAlert(_ root: JSONValue) -> String? {
    guard alert == nil else { return nil }
    if root.member("mdm")?.stringValue != nil {
      return "The device calls its MDM server, which says what to do."
    }
    if root.member("aps")?.member("event") != nil {
      return "It is about a Live Activity, which has a place of its own on the screen."
    }
    let changes = [
      badge == .unchanged ? nil : "the badge changes", sound == .silent ? nil : "a sound is played",
    ].compactMap { $0 }
    let wakes = isContentAvailable ? "; content-available wakes the app" : ""
    return changes.isEmpty
      ? "There is no alert, no badge and no sound\(wakes)."
      : "There is no alert; \(changes.joined(separator: " and "))\(wakes)."
  }
}
