import APNSimWire

// The byte counts of what events carry, for the history's bound.

extension ProviderIdentity {
  var byteCount: Int { topics.reduce(subject.utf8.count) { $0 + $1.utf8.count } }
}

extension DeviceOpening {
  var byteCount: Int { device.utf8.count + subject.utf8.count }
}

extension Command {
  /// About as many bytes as it takes, by what there may be thousands of.
  var byteCount: Int {
    switch self {
    case .putDevice(let device): device.byteCount
    case .changeDevice(let change): change.byteCount
    case .replaceScenario(let scenario):
      128
        * (scenario.apps.count + scenario.channels.count + 8 * scenario.activities.count
          + scenario.feedback.count + scenario.rules.count
          + scenario.timeline.count)
        + scenario.devices.reduce(0) { $0 + $1.byteCount }
    case .addFeedback(let tuple): tuple.byteCount
    case .addRule(let rule): rule.byteCount
    case .addChannel(let channel): channel.byteCount
    case .deleteChannel(let reference): reference.id.utf8.count
    case .setSubscribed(let device, let reference, _): device.utf8.count + reference.id.utf8.count
    case .startActivity(let activity): activity.byteCount
    case .setBroadcast(let bundleId, _): bundleId.utf8.count
    case .removeDevice(let name), .setOnline(let name, _), .setInstalled(let name, _, _),
      .rotateTokens(let name, _), .removeApp(let name, _), .removeRule(let name):
      name.utf8.count
    case .clearFeedback, .advanceClock, .setClock, .freezeClock, .resumeClock, .clearHistory, .clearRules,
      .endConnection, .reset:
      0
    }
  }
}

extension DeviceChange {
  fileprivate var byteCount: Int {
    let apps = if case .exactly(let apps) = apps { apps.count } else { 1 }
    return device.utf8.count + 128 * (1 + apps) + (languages?.byteCount ?? 0)
  }
}

extension FeedbackSpecification {
  fileprivate var byteCount: Int {
    switch subject {
    case .token(let token): token.count
    case .device(let name): name.utf8.count
    }
  }
}

extension Rule {
  /// The length of its JSON: its texts may be as long as a request.
  fileprivate var byteCount: Int {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes.count
  }
}

extension DeviceSpecification {
  fileprivate var byteCount: Int { name.utf8.count + 128 * (1 + apps.count) + languages.byteCount }
}

extension [String] {
  /// Of languages, whose names may be as long as a request.
  fileprivate var byteCount: Int { reduce(0) { $0 + 128 + $1.utf8.count } }
}
