internal import APNSimWire

extension Event {
  /// Bytes it carries beside its facts: what the history's bound counts.
  var byteCount: Int {
    switch self {
    case .bytesIn(_, let bytes, _), .bytesOut(_, let bytes), .feedbackRead(_, _, _, let bytes): bytes.count
    case .connectionOpened(_, _, _, let opening), .connectionTurnedAway(_, let opening, _):
      opening.provider.byteCount
    case .certificateJudged(_, _, let provider, _): provider.byteCount
    case .deviceConnected(_, let opening): opening.device.utf8.count + opening.subject.utf8.count
    case .connectionRefused(_, _, let reason, let subject): reason.utf8.count + subject.utf8.count
    case .commandFailed(let text), .timelineFailed(let text): text.utf8.count
    case .command(let command, _): command.byteCount
    case .feedbackAdded(_, let tuple, _): tuple.token.count
    case .appInstalled(_, _, let token, _), .appUninstalled(_, _, let token), .appRemoved(_, _, let token):
      token.count
    // The names of devices and apps are shared with these.
    case .connectionClosed, .deviceDisconnected, .connectionArrived, .inputEnded, .shutdown, .linesSent,
      .deviceSilent, .errorSent, .resent, .faultFired, .outcome, .feedbackCleared, .deviceAdded,
      .deviceRemoved, .deviceOnline, .deviceOffline, .clockChanged, .historyCleared, .expectation:
      0
    }
  }
}

extension ProviderIdentity {
  fileprivate var byteCount: Int { topics.reduce(subject.utf8.count) { $0 + $1.utf8.count } }
}

extension Command {
  /// About as many bytes as it takes, by what there may be thousands of.
  fileprivate var byteCount: Int {
    switch self {
    case .putDevice(let device): device.byteCount
    case .changeDevice(let change): change.byteCount
    case .replaceScenario(let scenario):
      128 * (scenario.apps.count + scenario.feedback.count + scenario.rules.count + scenario.timeline.count)
        + scenario.devices.reduce(0) { $0 + $1.byteCount }
    case .addFeedback(let tuple): tuple.byteCount
    case .addRule(let rule): rule.byteCount
    case .removeDevice(let name), .setOnline(let name, _), .setInstalled(let name, _, _),
      .removeApp(let name, _), .removeRule(let name):
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
  /// As many as its JSON: its texts may be as long as a request.
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
