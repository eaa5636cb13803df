package import APNSimWire

extension Command {
  /// Writes the command as a timeline's `do` has it: `{"device.online":"bob"}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .putDevice(let device):
      writer.key("device.add")
      writer.beginObject()
      writer.key(device.name)
      device.write(to: &writer)
      writer.endObject()
    case .changeDevice(let change):
      writer.key("device.change")
      change.write(to: &writer)
    case .removeDevice(let name):
      writer.member("device.remove", name)
    case .setOnline(let device, let isOnline):
      writer.key(isOnline ? "device.online" : "device.offline")
      writer.string(device)
    case .setInstalled(let device, let app, let isInstalled):
      writer.key(isInstalled ? "device.install" : "device.uninstall")
      guard let app else {
        writer.string(device)
        break
      }
      writer.beginObject()
      writer.member("device", device)
      app.writeReference(to: &writer)
      writer.endObject()
    case .addFeedback(let specification):
      writer.key("feedback.add")
      specification.write(to: &writer)
    case .clearFeedback(let app):
      writer.key("feedback.clear")
      guard let app else {
        writer.string("all")
        break
      }
      writer.beginObject()
      app.writeReference(to: &writer)
      writer.endObject()
    case .advanceClock(let span):
      writer.member("clock.advance", span.description)
    case .setClock(let moment):
      writer.member("clock.set", moment.description)
    case .freezeClock: flag("clock.freeze", &writer)
    case .resumeClock: flag("clock.resume", &writer)
    case .clearHistory: flag("history.clear", &writer)
    case .removeApp(let device, let app):
      writer.key("app.remove")
      writer.beginObject()
      writer.member("device", device)
      app.writeReference(to: &writer)
      writer.endObject()
    case .addRule(let rule):
      writer.key("rule.add")
      rule.write(to: &writer)
    case .removeRule(let name):
      writer.member("rule.remove", name)
    case .clearRules: flag("rule.clear", &writer)
    case .endConnection(let id, let how):
      writer.key("connection.end")
      writer.beginObject()
      writer.member("connection", id.description)
      writer.member("mode", how.rawValue)
      writer.endObject()
    case .reset: flag("reset", &writer)
    case .replaceScenario(let scenario):
      writer.key("scenario.replace")
      scenario.write(to: &writer)
    }
    writer.endObject()
  }

  private func flag(_ key: StaticString, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.bool(true)
  }
}
