import APNSimWire

/// A script's decision about a notification whose structure is right.
enum Decision {
  case proceed
  case reply(Reply)
  /// Refused as requests are; no frame is decided on so.
  case reason(Reason)
  /// Answered as requests are, as the rule at this place of the book says; no frame is decided on so.
  case answer(rule: UInt16)
  /// The app is gone from the token's device, and the service does not know it yet.
  case late
  /// Accepted and delivered to nobody.
  case swallow
  /// The connection ends here without an answer.
  case end(ConnectionEnding)
  /// A fault of requests and their connections; no frame is decided on so.
  indirect case request(Fault)
  /// The token says what its device is like.
  case device(MagicToken)
}

/// The outcome of the rules' and checks' look at a notification, whatever interface it came in by; each interface
/// has its own answer to it.
enum Ruling {
  /// Accepted, and settled with its device.
  case accepted
  /// Accepted and settled; then the service shuts down, as scripted, with an answer that names what it has accepted.
  case shutDown(Reply)
  /// Accepted and delivered to nobody.
  case swallowed
  /// A check failed; the answer takes so long, where the token says so.
  case refused(Check, after: TimeSpan)
  /// Refused, and answered as scripted.
  case scripted(Reply)
  /// Refused: the connection ends without an answer, as scripted.
  case ended(ConnectionEnding)
}
