import APNSimProvider
import APNSimWire

/// A notification as the user of a device sees and hears it: the text of the alert, its buttons, badge, sound.
enum NotificationScreen {
  /// - Parameter notification: from the device port, or of an inbox.
  static func lines(_ notification: JSONValue, _ style: Style) -> [String] {
    func text(_ key: String) -> String { notification.text(key) }
    var heading = [text("topic"), text("environment"), text("time"), text("id")].joined(separator: "  ")
    let until = text("until")
    if !until.isEmpty { heading += "  waits until \(until)" }
    let later = text("hiddenBy")
    if !later.isEmpty { heading += "  replaced on the screen by \(later)" }
    var lines = [style.paint(heading, .dim)]
    guard let shown = notification.member("presentation"), shown != .null else {
      return lines + ["  (the device cannot read it)"]
    }
    if let alert = shown.member("alert"), alert != .null {
      for key in ["title", "subtitle"] {
        guard let line = alert.member(key)?.stringValue else { continue }
        lines.append("  " + style.paint(TerminalText.visible(line), .cyan))
      }
      let words = alert.member("text")?.stringValue ?? ""
      lines += words.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "  " + style.paint(TerminalText.visible($0), .bold) }
      let buttons = alert.member("buttons")?.arrayValue?.compactMap(\.stringValue) ?? []
      lines.append("  " + buttons.map { "[\(TerminalText.visible($0))]" }.joined(separator: " "))
    }
    let effects = effects(shown)
    if !effects.isEmpty { lines.append("  " + TerminalText.visible(effects.joined(separator: " · "))) }
    for remark in shown.member("remarks")?.arrayValue?.compactMap(\.stringValue) ?? [] {
      lines.append("  " + style.paint("note: \(TerminalText.visible(remark))", .yellow))
    }
    return lines
  }

  private static func effects(_ shown: JSONValue) -> [String] {
    var effects: [String] = []
    if let badge = shown.member("badge")?.intValue {
      effects.append(badge == 0 ? "no badge" : "badge \(badge)")
    }
    if let sound = shown.member("sound")?.stringValue {
      let volume = shown.member("criticalSound")?.member("volume")
      effects.append("sound \(sound)" + (volume.map { ", critical at volume \($0)" } ?? ""))
    }
    for (key, name) in [
      ("interruptionLevel", "interruption"), ("relevanceScore", "relevance"), ("threadId", "thread"),
      ("category", "category"), ("targetContentId", "target"), ("filterCriteria", "filter"),
    ] {
      guard let value = shown.member(key) else { continue }
      effects.append("\(name) \(value.stringValue ?? value.description)")
    }
    if shown.member("mutableContent")?.boolValue == true { effects.append("mutable content") }
    if let image = shown.member("launchImage")?.stringValue { effects.append("launch image \(image)") }
    if shown.member("contentAvailable")?.boolValue == true { effects.append("content available") }
    if let custom = shown.member("custom"), custom.objectValue?.isEmpty == false {
      effects.append("custom \(custom)")
    }
    return effects
  }
}

extension DeviceLine {
  /// The lines for a terminal.
  func text(_ style: Style) -> [String] {
    switch self {
    case .tokens(let device, let tokens):
      let rows = tokens.map { [$0.topic, $0.environment, $0.token] }
      return [style.paint("\(device) is online", .green)] + Table.lines(rows, indent: "  ")
    case .notification(let notification): return NotificationScreen.lines(notification, style)
    case .error, .closed, .other: return []
    }
  }
}
