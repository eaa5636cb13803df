/// Puts a tally into words.
struct AdviceText {
  let tally: AdviceTally
  let limits: DiligenceLimits

  /// Sending to a listed token is serious once the provider has been told.
  static func severity(of kind: AdviceKind, _ tally: AdviceTally) -> AdviceKind.Severity {
    switch kind {
    case .connectionChurn, .feedbackNotRead, .errorIgnored, .discardedNotResent, .acceptedSentAgain,
      .unfinishedFrame, .providerTokenUpdates, .staleProviderToken, .sentToUnregisteredToken,
      .badDeviceTokens, .backgroundAtPriority10, .expirationAsDuration, .unansweredNotSentAgain,
      .deliveredTwice, .tokenPerPush, .contradictingPushType:
      .warning
    case .sentToListedToken: tally.amount > 0 ? .warning : .hint
    case .oneNotificationPerWrite, .payloadWhitespace, .alertOnlyBody, .misplacedKey, .missingPushType,
      .textTokenTime, .derTokenSignature, .undocumentedTokenForm, .connectionPerPush:
      .hint
    }
  }

  func text(of kind: AdviceKind) -> String {
    switch kind {
    case .connectionChurn:
      "\(connections) opened and closed again within \(limits.churnLifetime), or refused for that. "
        + "Keep a connection open and send many notifications over it."
    case .feedbackNotRead:
      "\(notifications) sent while tokens of removed apps waited unread on the feedback list. "
        + "Read the feedback service to its end at least once a day."
    case .sentToListedToken:
      "\(notifications) sent to device tokens that were on the feedback list, \(tally.amount) of them after the "
        + "provider had been told, by the list or by 410. Stop sending to a listed token unless the app registered again after the tuple's time."
    case .errorIgnored:
      "\(notifications) written long after an error response was sent, and discarded. Read from the "
        + "connection while writing to it, and stop when something arrives."
    case .discardedNotResent:
      "\(notifications) sent after an error, discarded, and not sent again over the next connection. "
        + "Resend everything that followed the notification named by the error response."
    case .acceptedSentAgain:
      "\(notifications) accepted before an error and sent again after it, so that users see them twice. What came "
        + "before the notification named by the error response stands: resend only what followed it."
    case .unfinishedFrame:
      "\(connections) stuck within a frame, which declares more bytes than came: it was never judged. Count lengths in "
        + "bytes, not characters, write them in network order, and flush what was written."
    case .oneNotificationPerWrite:
      "\(notifications) sent one per write, at most \(limits.writeGap) apart. "
        + "Put all that are ready into one write."
    case .payloadWhitespace:
      "\(notifications) sent with whitespace in the payload, \(bytes) in all. "
        + "Have your JSON library write its compact form."
    case .alertOnlyBody:
      "\(notifications) sent with an alert dictionary that has only a body. "
        + "Give the text as the value of alert itself."
    case .misplacedKey:
      "\(notifications) sent with a key of aps or alert in another place or spelling than devices know, which they "
        + "pass over. The notification's explanation names it."
    case .unansweredNotSentAgain:
      "\(requests) left without an answer, by GOAWAY, a reset or a stream that stayed open, reached nobody, and not sent "
        + "again. Send again what is above the last stream of GOAWAY or was refused, and what got no answer in time."
    case .deliveredTwice:
      "\(requests) accepted, lost the answer, and sent again, so that users see them twice. Give what you send again the "
        + "same apns-collapse-id as before, and keep to what is above the last stream of GOAWAY where there is one."
    case .connectionPerPush:
      "\(connections) opened for a single push and closed. Keep a connection open for hours, and send many notifications over "
        + "it at once."
    case .tokenPerPush:
      "\(tally.count) provider tokens were made, one for nearly every push and each within \(limits.tokenAge) of the one before. "
        + "Make one token, and use it for 20 to 60 minutes on all connections."
    case .providerTokenUpdates:
      "\(notifications) refused because the provider token had been made anew too soon. Make one token, use it for 20 to "
        + "60 minutes on all connections, and share it between processes."
    case .staleProviderToken:
      "\(notifications) refused because the provider token was issued more than an hour before or after. Make a new one "
        + "at least once an hour, and keep the clock right."
    case .sentToUnregisteredToken:
      "\(notifications) sent to a device token that had been answered 410. Stop sending to it unless the app registered "
        + "again after the answer's timestamp."
    case .badDeviceTokens:
      "\(notifications) sent to tokens that are none here. Look for tokens of the other environment before you delete "
        + "any: a development build's are the sandbox's."
    case .backgroundAtPriority10:
      "\(notifications) sent with push type background at priority 10, which is also what no priority means. Send "
        + "apns-priority: 5."
    case .expirationAsDuration:
      "\(notifications) sent with an apns-expiration that looks like a duration: it is past, and no offline device gets "
        + "it. Send the time since 1970 in seconds."
    case .missingPushType:
      "\(notifications) sent without apns-push-type, which watchOS 6 and later need. Send what it is."
    case .contradictingPushType:
      "\(notifications) sent with a push type that the payload contradicts: Apple may refuse or drop it."
    case .textTokenTime:
      "\(notifications) sent with a provider token whose iat is a text. APNs takes it, and other servers do not: write the "
        + "seconds since 1970 as a number."
    case .derTokenSignature:
      "\(notifications) sent with a provider token whose signature is DER. APNs takes it, and other servers do not: write r "
        + "and s as 64 bytes (RFC 7518, section 3.4)."
    case .undocumentedTokenForm:
      "\(notifications) sent with a provider token in a form that is documented nowhere: ES384 or ES512, r and s padded, or plain "
        + "Base64. APNs takes it. Where the library makes it so, as pushok and apns4erl do, there is nothing to do."
    }
  }

  private var connections: String {
    tally.count == 1 ? "1 connection was" : "\(tally.count) connections were"
  }
  private var notifications: String {
    tally.count == 1 ? "1 notification was" : "\(tally.count) notifications were"
  }
  private var requests: String {
    tally.count == 1 ? "1 request was" : "\(tally.count) requests were"
  }
  private var bytes: String { tally.amount == 1 ? "1 byte" : "\(tally.amount) bytes" }
}
