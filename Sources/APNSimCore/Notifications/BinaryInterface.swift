import APNSimWire

/// The binary interface's table of checks: the order it makes them in, and its answer where one fails.
enum BinaryInterface {
  /// The checks in their order, from those of the frame on to those that need the device.
  ///
  /// The guide gives no order but for one observed fact (an empty token and an empty payload are answered 2); the rest
  /// is this simulator's, and the same for all commands: a notification with several faults always gets the status of
  /// the first.
  static let checks: [Check] = [
    .command, .framing, .tokenPresence, .tokenSize, .payloadPresence, .payloadSize, .topic, .token, .priority,
    .payload,
  ]

  /// The status of a failed check, whether or not it is said.
  static func status(of check: Check, edition: Edition) -> StatusCode {
    switch check {
    case .command: edition == .guide ? .unknown : .protocolError
    case .framing: .protocolError
    case .tokenPresence: .missingDeviceToken
    case .tokenSize: .invalidTokenSize
    case .payloadPresence: .missingPayload
    case .payloadSize: .invalidPayloadSize
    case .topic: .missingTopic
    case .token: .invalidToken
    case .priority, .payload: .processingError
    case .request, .rule, .none: .noErrorsEncountered
    }
  }

  /// The reason why a failed check is answered with silence.
  enum Silence {
    /// The simple format has no error response. (A byte that is not understood has no format.)
    case simpleFormat
    /// The quirk `silentParseErrors`.
    case quirk
  }

  /// Nil where the answer is said.
  static func silence(about check: Check, command: UInt8, _ quirks: Quirks) -> Silence? {
    if command == 0, check != .command { return .simpleFormat }
    return quirks.contains(.silentParseErrors) && (check == .command || check == .framing) ? .quirk : nil
  }
}
