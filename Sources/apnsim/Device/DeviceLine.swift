import APNSimWire

/// One line that the device port says.
enum DeviceLine: Equatable {
  case tokens(device: String, [Token])
  /// A notification with its presentation.
  case notification(JSONValue)
  /// What the device said was not accepted.
  case error(expected: String, found: String)
  /// The simulator ends the connection.
  case closed(reason: String, detail: String)
  /// Something a later version says.
  case other

  struct Token: Equatable {
    var topic: String
    var environment: String
    var token: String
  }

  init(_ line: some Sequence<UInt8>) {
    guard let value = try? JSONValue.parse(line) else {
      self = .other
      return
    }
    if let tokens = value.member("tokens")?.arrayValue {
      self = .tokens(
        device: value.member("device")?.stringValue ?? "",
        tokens.map { token in
          Token(
            topic: token.member("topic")?.stringValue ?? "",
            environment: token.member("environment")?.stringValue ?? "",
            token: token.member("token")?.stringValue ?? ""
          )
        }
      )
    } else if let notification = value.member("notification") {
      self = .notification(notification)
    } else if let error = value.member("error") {
      self = .error(
        expected: error.member("expected")?.stringValue ?? "?",
        found: error.member("found")?.stringValue ?? "?"
      )
    } else if let closed = value.member("closed") {
      self = .closed(
        reason: closed.member("reason")?.stringValue ?? "",
        detail: closed.member("detail")?.stringValue ?? ""
      )
    } else {
      self = .other
    }
  }

  /// How it reads on a terminal.
  func text(_ style: Style) -> [String] {
    switch self {
    case .tokens(let device, let tokens):
      let rows = tokens.map { [$0.topic, $0.environment, $0.token] }
      return [style.paint("\(device) is online", .green)] + Table.lines(rows, indent: "  ")
    case .notification(let notification): return Self.screen(notification, style)
    case .error, .closed, .other: return []
    }
  }

  /// A notification as its user sees and hears it.
  private static func screen(_ notification: JSONValue, _ style: Style) -> [String] {
    func text(_ path: String) -> String { notification[path]?.stringValue ?? "" }
    let heading = [text("topic"), text("environment"), text("time"), text("id")].joined(separator: "  ")
    var lines = [style.paint(heading, .dim)]
    guard let shown = notification.member("presentation"), shown != .null else {
      return lines + ["  (the device cannot read it)"]
    }
    if let alert = shown.member("alert"), alert != .null {
      let words = alert.member("text")?.stringValue ?? ""
      lines += words.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "  " + style.paint(visible($0), .bold) }
      let buttons = alert.member("buttons")?.arrayValue?.compactMap(\.stringValue) ?? []
      lines.append("  " + buttons.map { "[\(visible($0[...]))]" }.joined(separator: " "))
    }
    let effects = effects(shown)
    if !effects.isEmpty { lines.append("  " + visible(effects.joined(separator: " · ")[...])) }
    for remark in shown.member("remarks")?.arrayValue?.compactMap(\.stringValue) ?? [] {
      lines.append("  " + style.paint("note: \(visible(remark[...]))", .yellow))
    }
    return lines
  }

  private static func effects(_ shown: JSONValue) -> [String] {
    var effects: [String] = []
    if let badge = shown.member("badge")?.intValue {
      effects.append(badge == 0 ? "no badge" : "badge \(badge)")
    }
    if let sound = shown.member("sound")?.stringValue { effects.append("sound \(sound)") }
    if let image = shown.member("launchImage")?.stringValue { effects.append("launch image \(image)") }
    if shown.member("contentAvailable")?.boolValue == true { effects.append("content available") }
    if let custom = shown.member("custom"), custom.objectValue?.isEmpty == false {
      effects.append("custom \(custom)")
    }
    return effects
  }

  /// Text without what would command the terminal.
  private static func visible(_ text: Substring) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isControl ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
