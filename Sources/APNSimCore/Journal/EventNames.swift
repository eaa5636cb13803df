extension Event {
  /// The name of the event that a notification's line is.
  static let notificationName = "notification"

  /// Every name that a line's `event` can be in this version: `notification`, those of the table of events, those of
  /// outcomes, and those that only imported captures have. A test holds it against the table and the schema.
  package static let names: Set<String> = Set(
    [
      notificationName, "connectionOpened", "connectionClosed", "connectionRefused", "connectionArrived",
      "certificateJudged", "bytesIn", "bytesOut", "inputEnded", "shutdown", "linesSent", "deviceSilent",
      "command", "commandFailed", "errorSent", "answered", "streamReset", "resent", "faultFired",
      "feedbackAdded",
      "feedbackRead",
      "feedbackCleared", "deviceAdded", "deviceRemoved", "deviceOnline", "deviceOffline", "appInstalled",
      "appUninstalled", "appRemoved", "clockChanged", "historyCleared", "channelCreated", "channelDeleted",
      "channelSubscribed", "channelUnsubscribed", "published", "broadcastChanged", "activityStarted",
      "activityUpdated", "activityEnded", "activityIgnored", "expectation",
      "timelineFailed",
    ] + importedNames + Outcome.allCases.map(\.description)
  )

  /// The names of events that only imported captures have.
  package static let importedNames = [
    "bytesMissing", "framesFound", "captureEnded", "request", "goAway",
  ]

  /// Every key that a line can have in this version; a test holds it against the table and the schema.
  package static let keys: Set<String> = [
    "seq", "time", "event", "id", "connection", "read", "topic", "token", "command", "identifier", "device",
    "interface", "stream", "apnsId", "collapseId", "pushType", "auth", "outcome", "status", "check", "rule",
    "magic", "replaced", "raw", "ordinal", "listener", "peer",
    "provider", "tls", "answersSeen", "subject", "environment", "reason", "received", "accepted",
    "rejected", "discarded", "delivered", "lost", "acceptDelay", "refusal", "count", "seconds", "do",
    "wall", "bytes", "direction", "notification", "name", "discardedOn", "fault", "by", "because",
    "timestamp", "scripted", "tuples", "online", "issued", "advancedBy", "setTo", "clock", "expects", "ok",
    "found", "channel", "storagePolicy", "subscribers", "broadcast", "activity", "attributesType",
    "code", "lastStream", "debug", "maxStreams", "answerWaits", "opened", "header",
  ]
}
