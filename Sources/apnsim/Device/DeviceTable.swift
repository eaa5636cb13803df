import APNSimWire

/// Devices as people read them: a line for each app on each device.
enum DeviceTable {
  /// - Parameter answer: `{"devices":[…]}`, or one device.
  static func lines(_ answer: JSONValue, style: Style) -> [String] {
    let devices = answer.member("devices")?.arrayValue ?? [answer]
    guard !devices.isEmpty else { return ["no devices"] }
    return Table.lines(devices.flatMap { rows($0) }).map { line in
      line.contains("  offline  ") || line.contains("  removed  ") ? style.paint(line, .dim) : line
    }
  }

  private static func rows(_ device: JSONValue) -> [[String]] {
    let name = device.text("name")
    let state = device.member("online")?.boolValue == false ? "offline" : "online"
    let apps = device.member("apps")?.arrayValue ?? []
    guard !apps.isEmpty else { return [[name, state, "no apps"]] }
    return apps.map { app in
      var notes: [String] = []
      if let badge = app.member("badge")?.intValue, badge != 0 { notes.append("badge \(badge)") }
      if let stored = app.member("stored"), stored != .null { notes.append("stored \(stored.plain)") }
      return [
        name, state, app.text("topic"), app.text("environment"),
        app.member("installed")?.boolValue == false ? "removed" : "installed", app.text("token"),
        notes.joined(separator: ", "),
      ]
    }
  }
}
