extension Event {
  /// The name of the event that a notification's line is.
  static let notificationName = "notification"

  /// The event's name in the journal.
  package var name: String {
    switch self {
    case .connectionOpened, .deviceConnected: "connectionOpened"
    case .connectionClosed, .deviceDisconnected: "connectionClosed"
    case .connectionRefused, .connectionTurnedAway: "connectionRefused"
    case .connectionArrived: "connectionArrived"
    case .certificateJudged: "certificateJudged"
    case .inputEnded: "inputEnded"
    case .shutdown: "shutdown"
    case .linesSent: "linesSent"
    case .deviceSilent: "deviceSilent"
    case .command: "command"
    case .commandFailed: "commandFailed"
    case .bytesIn: "bytesIn"
    case .bytesOut: "bytesOut"
    case .errorSent: "errorSent"
    case .resent: "resent"
    case .faultFired: "faultFired"
    case .outcome(let outcome, _, _, _, _): outcome.description
    case .feedbackAdded: "feedbackAdded"
    case .feedbackRead: "feedbackRead"
    case .feedbackCleared: "feedbackCleared"
    case .deviceAdded: "deviceAdded"
    case .deviceRemoved: "deviceRemoved"
    case .deviceOnline: "deviceOnline"
    case .deviceOffline: "deviceOffline"
    case .appInstalled: "appInstalled"
    case .appUninstalled: "appUninstalled"
    case .appRemoved: "appRemoved"
    case .clockChanged: "clockChanged"
    case .historyCleared: "historyCleared"
    case .expectation: "expectation"
    case .timelineFailed: "timelineFailed"
    }
  }

  /// Every name that a line's `event` can be in this version, notifications and their outcomes included.
  package static let names: Set<String> = Set(
    [
      "notification", "connectionOpened", "connectionClosed", "connectionRefused", "connectionArrived",
      "certificateJudged", "bytesIn", "bytesOut", "bytesMissing", "framesFound", "inputEnded", "shutdown",
      "linesSent", "captureEnded", "deviceSilent", "command", "commandFailed", "errorSent", "resent",
      "faultFired", "feedbackAdded",
      "feedbackRead", "feedbackCleared", "deviceAdded", "deviceRemoved", "deviceOnline", "deviceOffline",
      "appInstalled", "appUninstalled", "appRemoved", "clockChanged", "historyCleared", "expectation",
      "timelineFailed",
    ] + Outcome.allCases.map(\.description)
  )

  /// Every key that a line can have in this version.
  package static let keys: Set<String> = [
    "seq", "time", "event", "id", "connection", "read", "topic", "token", "command", "identifier", "device",
    "outcome", "status", "check", "rule", "magic", "replaced", "raw", "ordinal", "listener", "peer",
    "provider", "tls", "answersSeen", "subject", "environment", "reason", "received", "accepted",
    "rejected", "discarded", "delivered", "lost", "acceptDelay", "refusal", "count", "seconds", "do",
    "wall", "bytes", "direction", "notification", "name", "discardedOn", "fault", "by", "because",
    "timestamp", "scripted", "tuples", "online", "issued", "advancedBy", "setTo", "clock", "expects", "ok",
    "found",
  ]
}
