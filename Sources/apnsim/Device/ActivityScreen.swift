import APNSimWire

/// Live Activities as the person with the device sees them, and pushes for them that showed nothing.
enum ActivityScreen {
  /// - Parameter answer: `{"activities":[…],"ignored":[…]}`
  static func lines(_ answer: JSONValue, _ style: Style) -> [String] {
    let activities = answer.member("activities")?.arrayValue ?? []
    let ignored = answer.member("ignored")?.arrayValue ?? []
    return activities.flatMap { lines(of: $0, style) }
      + ignored.map { push in
        let words = "\(push.text("notification"))  showed nothing: \(push.text("reason"))"
        return style.paint(TerminalText.visible(words), .yellow)
      }
  }

  private static func lines(of activity: JSONValue, _ style: Style) -> [String] {
    let type = activity.text("attributesType")
    let heading = [
      activity.text("topic"), activity.text("environment"), activity.text("updatedAt"), activity.text("id"),
      type.isEmpty ? "activity" : type,
    ]
    let state = activity.text("state")
    let until =
      switch state {
      case "active", "stale": "until \(activity.text("endsAt"))"
      case "ended": "on the screen until \(activity.text("dismissedAt"))"
      default: "since \(activity.text("dismissedAt"))"
      }
    var lines = [style.paint(TerminalText.visible(heading.joined(separator: "  ")), .dim)]
    lines.append("  \(state) \(until)")
    if let content = activity.member("contentState"), content != .null {
      lines.append("  " + style.paint(TerminalText.visible("\(content)"), .bold))
    }
    let alert = activity.text("alert")
    if !alert.isEmpty { lines.append("  " + TerminalText.visible(alert)) }
    let channel = activity.text("channel")
    let token = activity.text("token")
    if !channel.isEmpty { lines.append("  updated by channel \(TerminalText.visible(channel))") }
    if !token.isEmpty { lines.append("  updated by token \(token)") }
    return lines
  }
}
