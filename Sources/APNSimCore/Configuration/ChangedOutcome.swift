/// The outcomes that a generation of ``OutcomeRules`` decides otherwise than the one before it.
///
/// A further one is a case with its row. The place that decides asks `configuration.rules.have(.itsName)`, and where that
/// is false decides as before. `UPDATE=yes FILTER='outcomes that changed' scripts/test-swift pure` writes the table of
/// docs/journal.md anew, and `fixtures/captures/otherwise/rules` gets a recording of version 0.2 that has it, by its name.
package enum ChangedOutcome: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case topicOfCertificate
  case whiteSpace
  case tokenSizes
  case replacedToken
  case timeOfRemoval
  case waitBeforeReinstallation
  case resentRequest
  case retriedToken
  case lateReaction
  case formsOfProviderTokens
  case ageOfAnyProviderToken
  case tokenAfterScriptedRefusal
  case clockOfProviderTokens
  case payloadWithoutAPS
  case storageOfRequests
  case broadcastPriority
  case activityWithoutChannel

  /// The generation from which on it is decided as now.
  package var generation: OutcomeRules { .second }

  /// True for what is found out about a request before it is judged: a recording has the finding, whatever its generation.
  package var isOfEvidence: Bool { self == .formsOfProviderTokens || self == .ageOfAnyProviderToken }

  /// A row of the table in docs/journal.md.
  package struct Row: Hashable, Sendable {
    /// The situation.
    package var of: String
    package var before: String
    package var now: String
    /// The setting that bears on it, as its flag; nil where there is none.
    package var setting: String?
  }

  package var row: Row {
    switch self {
    case .topicOfCertificate: .topicOfCertificate
    case .whiteSpace: .whiteSpace
    case .tokenSizes: .tokenSizes
    case .replacedToken: .replacedToken
    case .timeOfRemoval: .timeOfRemoval
    case .waitBeforeReinstallation: .waitBeforeReinstallation
    case .resentRequest: .resentRequest
    case .retriedToken: .retriedToken
    case .lateReaction: .lateReaction
    case .formsOfProviderTokens: .formsOfProviderTokens
    case .ageOfAnyProviderToken: .ageOfAnyProviderToken
    case .tokenAfterScriptedRefusal: .tokenAfterScriptedRefusal
    case .clockOfProviderTokens: .clockOfProviderTokens
    case .payloadWithoutAPS: .payloadWithoutAPS
    case .storageOfRequests: .storageOfRequests
    case .broadcastPriority: .broadcastPriority
    case .activityWithoutChannel: .activityWithoutChannel
    }
  }
}

extension ChangedOutcome.Row {
  fileprivate static let topicOfCertificate = Self(
    of: "a request whose certificate does not list the topic",
    before: "BadTopic",
    now: "TopicDisallowed"
  )

  fileprivate static let whiteSpace = Self(
    of: "white space at an end of the value of `authorization` or of an `apns-…` header",
    before: "malformed; in the traffic of a scenario a part of the value",
    now: "it does not count, and is remarked on"
  )

  fileprivate static let tokenSizes = Self(
    of: "a request to a token of 33 to 100 bytes that nobody has",
    before: "BadDeviceToken, but for 80 bytes of a Live Activity",
    now: "a device",
    setting: "--tokens any"
  )

  fileprivate static let replacedToken = Self(
    of:
      "a token in whose place its app has another one, and that of a Live Activity whose app was removed",
    before: "a device of its own, or BadDeviceToken and status 8",
    now: "410 Unregistered; over the binary interface refused, and listed by feedback",
    setting: "--dead-tokens"
  )

  fileprivate static let timeOfRemoval = Self(
    of: "a token whose app its device has removed while it was online, or was online since",
    before: "410 with the time of the first refusal; 200 and stored while the device is offline",
    now: "410 with the time of the removal, also while the device is offline"
  )

  fileprivate static let waitBeforeReinstallation = Self(
    of: "what waits for an app that was removed and comes back under another token",
    before: "it is delivered",
    now: "it is refused"
  )

  fileprivate static let resentRequest = Self(
    of: "a request that got no answer, and comes again",
    before:
      "`resent` as soon as it comes over another connection, or with its `apns-id`; not above GOAWAY",
    now:
      "`resent` on every connection that it went through, by the answer that settles it; also on its own connection after RST_STREAM"
  )

  fileprivate static let retriedToken = Self(
    of: "a token of `d101` or `d104` that is sent to again",
    before: "GOAWAY or RST_STREAM each time",
    now: "once for each token; then it is delivered"
  )

  fileprivate static let lateReaction = Self(
    of: "the answer to a request for a token of `1aCC`",
    before: "at once",
    now: "as late as the delivery"
  )

  fileprivate static let formsOfProviderTokens = Self(
    of: "a provider token with ES384 or ES512 over a P-256 key, r and s padded, or plain Base64",
    before: "InvalidProviderToken",
    now: "taken"
  )

  fileprivate static let ageOfAnyProviderToken = Self(
    of: "any token with three parts and a readable header, whatever its age, where all are taken",
    before: "ExpiredProviderToken after an hour, InvalidProviderToken without kid, iss or iat",
    now: "taken",
    setting: "--provider-tokens any"
  )

  fileprivate static let tokenAfterScriptedRefusal = Self(
    of:
      "a new token after a script has answered ExpiredProviderToken or InvalidProviderToken to one of its key",
    before: "TooManyProviderTokenUpdates",
    now: "taken",
    setting: "--token-updates"
  )

  fileprivate static let clockOfProviderTokens = Self(
    of: "a second token of a key within 20 minutes, issued 20 minutes or more from the one before",
    before: "TooManyProviderTokenUpdates",
    now: "taken",
    setting: "--token-updates"
  )

  fileprivate static let payloadWithoutAPS = Self(
    of:
      "a push of VoIP, complications, file providers, push to talk or location whose payload has no `aps` to be read",
    before: "dropped by the device",
    now: "delivered to its app"
  )

  fileprivate static let storageOfRequests = Self(
    of: "what waits for an offline device without `apns-expiration`",
    before: "28 days, whichever interface it came by",
    now: "30 days over HTTP/2; 28 over the binary interface",
    setting: "--storage-period"
  )

  fileprivate static let broadcastPriority = Self(
    of: "a broadcast with priority 1",
    before: "BadPriority",
    now: "taken"
  )

  fileprivate static let activityWithoutChannel = Self(
    of: "a start of a Live Activity with an `input-push-channel` that is no channel of the app",
    before: "it starts without",
    now: "it does not start"
  )
}
