/// The binary interface's counterpart of a reason.
package enum BinaryCounterpart: BitwiseCopyable, Hashable, Sendable {
  case status(StatusCode)
  /// The notification is accepted, and the feedback service lists the token.
  case feedback
  /// The certificate is refused in the handshake.
  case handshake
  /// The connection is closed without a packet.
  case close
}

extension Reason {
  /// The counterpart of a binary status: that of a magic token `e0`.
  package init(counterpartOf status: StatusCode) {
    self =
      switch status {
      case .missingDeviceToken: .missingDeviceToken
      case .missingTopic: .missingTopic
      case .missingPayload: .payloadEmpty
      case .invalidTokenSize, .invalidToken: .badDeviceToken
      case .invalidTopicSize: .badTopic
      case .invalidPayloadSize: .payloadTooLarge
      case .shutdown: .shutdown
      default: .internalServerError
      }
  }

  /// The nearest that the binary interface has (inferred: Apple documents no such table).
  package var binaryCounterpart: BinaryCounterpart {
    switch self {
    case .missingDeviceToken: .status(.missingDeviceToken)
    case .missingTopic: .status(.missingTopic)
    case .payloadEmpty: .status(.missingPayload)
    case .badTopic: .status(.invalidTopicSize)
    case .payloadTooLarge: .status(.invalidPayloadSize)
    case .badDeviceToken, .deviceTokenNotForTopic, .topicDisallowed: .status(.invalidToken)
    case .shutdown: .status(.shutdown)
    case .unregistered, .expiredToken: .feedback
    case .badCertificate, .badCertificateEnvironment: .handshake
    case .idleTimeout: .close
    default: .status(.processingError)
    }
  }
}
