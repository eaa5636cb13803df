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
  /// A fault of the answer, over HTTP/2 also of the notification and its connection.
  indirect case request(Fault)
  /// The token says what its device is like.
  case device(MagicToken)
}

extension Decision {
  /// False where a device that is made on first sight is offline.
  @inline(__always)
  var isDeviceOnline: Bool { if case .device(let magic) = self { magic.kind != .offline } else { true } }
}
