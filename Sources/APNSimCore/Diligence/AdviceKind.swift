import APNSimWire

/// A habit that a provider can be advised on: one that Apple's texts ask for, or say is watched for.
package enum AdviceKind: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// Connections that are opened and closed again in quick succession.
  case connectionChurn
  /// Sending on while tuples wait in a feedback list that nobody reads.
  case feedbackNotRead
  /// Sending to tokens that the feedback service has listed.
  case sentToListedToken
  /// Writing on long after an error response was sent.
  case errorIgnored
  /// Going on over a new connection without resending what an error cost.
  case discardedNotResent
  /// Sending again, over a new connection, what had been accepted before an error.
  case acceptedSentAgain
  /// Frames that are begun and not finished.
  case unfinishedFrame
  /// Many writes with a single notification in each.
  case oneNotificationPerWrite
  /// White space between the tokens of payloads.
  case payloadWhitespace
  /// An alert dictionary that has only `body`.
  case alertOnlyBody
  /// A key of `aps` or the alert in another place or spelling than a device knows.
  case misplacedKey

  // Of requests over HTTP/2.

  /// Requests that got no answer, reached nobody, and were not sent again.
  case unansweredNotSentAgain
  /// Requests that had been accepted, lost their answer, and were sent again.
  case deliveredTwice
  /// Connections for a single push each.
  case connectionPerPush
  /// Provider tokens that are made anew for nearly every push.
  case tokenPerPush
  /// Provider tokens that are made anew more often than every 20 minutes.
  case providerTokenUpdates
  /// Provider tokens that are older than an hour, or from the future.
  case staleProviderToken
  /// Sending on to tokens that were answered 410.
  case sentToUnregisteredToken
  /// Many tokens that are none: those of the other environment, usually.
  case badDeviceTokens
  /// Background pushes at priority 10.
  case backgroundAtPriority10
  /// An `apns-expiration` that is a number of seconds from now.
  case expirationAsDuration
  /// Pushes without a push type.
  case missingPushType
  /// Provider tokens with an `iat` that is a text.
  case textTokenTime
  /// Provider tokens with a DER signature.
  case derTokenSignature
  /// Provider tokens signed with ES384 or ES512, or in plain Base64.
  case undocumentedTokenForm
  /// Pushes whose push type is not what their payload is.
  case contradictingPushType

  package enum Severity: String, Hashable, Sendable, JSONWord {
    /// Notifications are lost or wasted, or Apple may refuse the provider.
    case warning
    /// The provider works, and could work better.
    case hint
  }
}

extension AdviceKind: CustomStringConvertible {
  /// The name of it in every answer.
  package var description: String {
    switch self {
    case .connectionChurn: "connectionChurn"
    case .feedbackNotRead: "feedbackNotRead"
    case .sentToListedToken: "sentToListedToken"
    case .errorIgnored: "errorIgnored"
    case .discardedNotResent: "discardedNotResent"
    case .acceptedSentAgain: "acceptedSentAgain"
    case .unfinishedFrame: "unfinishedFrame"
    case .oneNotificationPerWrite: "oneNotificationPerWrite"
    case .payloadWhitespace: "payloadWhitespace"
    case .alertOnlyBody: "alertOnlyBody"
    case .misplacedKey: "misplacedKey"
    case .unansweredNotSentAgain: "unansweredNotSentAgain"
    case .deliveredTwice: "deliveredTwice"
    case .connectionPerPush: "connectionPerPush"
    case .tokenPerPush: "tokenPerPush"
    case .providerTokenUpdates: "providerTokenUpdates"
    case .staleProviderToken: "staleProviderToken"
    case .sentToUnregisteredToken: "sentToUnregisteredToken"
    case .badDeviceTokens: "badDeviceTokens"
    case .backgroundAtPriority10: "backgroundAtPriority10"
    case .expirationAsDuration: "expirationAsDuration"
    case .missingPushType: "missingPushType"
    case .textTokenTime: "textTokenTime"
    case .derTokenSignature: "derTokenSignature"
    case .undocumentedTokenForm: "undocumentedTokenForm"
    case .contradictingPushType: "contradictingPushType"
    }
  }
}

// Apple's words on each habit.

extension AdviceKind {
  /// The sentence the advice rests on, word for word.
  package var sentence: String {
    switch self {
    case .connectionChurn:
      "APNs may consider connections that are rapidly and repeatedly established and torn down as a "
        + "denial-of-service attack."
    case .feedbackNotRead:
      "Providers should periodically query the feedback service to get the list of device tokens for their "
        + "applications, each of which is identified by its topic."
    case .sentToListedToken:
      "APNs monitors providers for their diligence in checking the feedback service and refraining from "
        + "sending push notifications to nonexistent applications on devices."
    case .errorIgnored:
      "If you send a notification and APNs finds the notification malformed or otherwise unintelligible, it "
        + "returns an error-response packet prior to disconnecting."
    case .discardedNotResent:
      "Upon error, APNs closes the connection on which the error occurred."
    case .acceptedSentAgain:
      "The packet has a command value of 8 followed by a one-byte status code and the same notification "
        + "identifier specified by the provider when it composed the notification."
    case .unfinishedFrame:
      "The lengths of the device token and the payload must be in network order (that is, big endian)."
    case .oneNotificationPerWrite:
      "For optimum performance, you should batch multiple notifications in a single transmission over the "
        + "interface, either explicitly or using a TCP/IP Nagle algorithm."
    case .payloadWhitespace:
      "Remember, for better performance, you should strip all whitespace and newline characters from the "
        + "payload before including it in the notification."
    case .alertOnlyBody:
      "Don't specify a dictionary as the value of alert if the dictionary only has the body property."
    case .misplacedKey:
      "Providers can specify custom payload values outside the Apple-reserved aps namespace."
    case .unansweredNotSentAgain:
      "Apple Push Notification service (APNs) provides a response to each POST request your server transmits."
    case .deliveredTwice:
      "When sending the same notification more than once, use the same value in this header to merge the requests."
    case .connectionPerPush:
      "Keep your connections with APNs open across multiple notifications; don’t repeatedly open and close connections."
    case .tokenPerPush:
      "Do not generate a new provider authentication token for each push request that you send."
    case .providerTokenUpdates: "Update the authentication token no more than once every 20 minutes."
    case .staleProviderToken: "The provider token is stale and a new token should be generated."
    case .sentToUnregisteredToken: "The device token is inactive for the specified topic."
    case .badDeviceTokens:
      "The specified device token is invalid. Verify that the request contains a valid token and that the token "
        + "matches the environment."
    case .backgroundAtPriority10: "Always use priority 5. Using priority 10 is an error."
    case .expirationAsDuration:
      "The date at which the notification is no longer valid. This value is a UNIX epoch expressed in seconds (UTC)."
    case .missingPushType, .contradictingPushType:
      "The value of this header must accurately reflect the contents of your notification’s payload."
    case .textTokenTime:
      "Specify the value as the number of seconds since Epoch, in UTC."
    case .derTokenSignature, .undocumentedTokenForm:
      "APNs supports only the ES256 algorithm, so set the value of this key to ES256."
    }
  }

  /// The document and section of the sentence.
  package var source: String {
    if let page { return page }
    let section =
      switch self {
      case .connectionChurn, .discardedNotResent: "General Provider Requirements"
      case .feedbackNotRead, .sentToListedToken: "The Feedback Service"
      case .errorIgnored, .acceptedSentAgain, .unfinishedFrame, .oneNotificationPerWrite:
        "The Binary Interface and Notification Formats"
      case .payloadWhitespace: "Examples of JSON Payloads"
      default: "The Notification Payload"
      }
    return "Local and Push Notification Programming Guide 2011-08-09, \"\(section)\""
  }

  /// The page about requests over HTTP/2 that the sentence is on; nil for one of the guide.
  private var page: String? {
    switch self {
    case .connectionPerPush, .tokenPerPush:
      "Local and Remote Notification Programming Guide, \"Communicating with APNs\""
    case .providerTokenUpdates, .staleProviderToken, .sentToUnregisteredToken, .badDeviceTokens,
      .unansweredNotSentAgain:
      "Handling notification responses from APNs"
    case .textTokenTime, .derTokenSignature, .undocumentedTokenForm:
      "Establishing a token-based connection to APNs"
    case .backgroundAtPriority10, .expirationAsDuration, .missingPushType, .contradictingPushType,
      .deliveredTwice:
      "Sending notification requests to APNs"
    default: nil
    }
  }
}
