import APNSimWire

extension Command {
  static func words(_ device: String, isOnline: Bool) -> String {
    "\(device) \(isOnline ? "comes online" : "goes offline")"
  }

  /// The command's effect, as people say it.
  var words: String {
    switch self {
    case .putDevice(let device): "\(device.name) is made what the scenario says"
    case .changeDevice(let change): "\(change.device) is changed"
    case .removeDevice(let name): "\(name) is removed"
    case .setOnline(let name, let isOnline): Self.words(name, isOnline: isOnline)
    case .setInstalled(let name, let app, let isInstalled):
      "\(name) \(isInstalled ? "gets" : "loses") \(app?.topic ?? "all its apps")"
    case .rotateTokens(let name, let app):
      "\(app.map { "\($0.topic) on \(name) gets another token" } ?? "every app of \(name) gets another token")"
    case .addFeedback: "a token is listed by the feedback service"
    case .clearFeedback(let app):
      "the feedback list \(app.map { "of \($0.topic)" } ?? "of every app") is emptied"
    case .advanceClock(let span): "the clock moves on by \(span)"
    case .setClock(let moment): "the clock is set to \(moment)"
    case .freezeClock: "the clock stops"
    case .resumeClock: "the clock runs"
    case .clearHistory: "the history is cleared"
    case .removeApp(let device, let app): "\(app.topic) is taken off \(device)"
    case .addRule(let rule): rule.name.isEmpty ? "a fault begins" : "the fault \"\(rule.name)\" begins"
    case .removeRule(let name): "the fault \(name) ends"
    case .clearRules: "all faults end"
    case .addChannel(let channel): "a channel of \(channel.app.topic) is created"
    case .deleteChannel(let reference): "channel \(reference.id) is deleted"
    case .setSubscribed(let device, let reference, let isSubscribed):
      "\(device) \(isSubscribed ? "subscribes to" : "leaves") channel \(reference.id)"
    case .setBroadcast(let bundleId, let isOn): "\(bundleId) may \(isOn ? "" : "not ")broadcast"
    case .startActivity(let activity): "a Live Activity begins on \(activity.device)"
    case .endConnection(let id, let how): "\(id) is ended by \(how.rawValue)"
    case .reset: "everything begins anew"
    case .replaceScenario(let scenario):
      "the scenario \(scenario.name.isEmpty ? "" : "\"\(scenario.name)\" ")begins"
    }
  }
}
