/// The reason why a request was refused: the word in an error's body.
///
/// The raw value up to 0x20 is the place in the table of "Handling notification responses from APNs", counted from 1,
/// which is the code of a magic token; those of broadcast alone follow. What each stands for is in ``ReasonRow``.
package enum Reason: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case badCollapseId = 0x01
  case badDeviceToken
  case badExpirationDate
  case badMessageId
  case badPriority
  case badTopic
  case deviceTokenNotForTopic
  case duplicateHeaders
  case idleTimeout
  case invalidPushType
  case missingDeviceToken
  case missingTopic
  case payloadEmpty
  case topicDisallowed
  case badCertificate
  case badCertificateEnvironment
  case expiredProviderToken
  case forbidden
  case invalidProviderToken
  case missingProviderToken
  case unrelatedKeyIdInToken
  case badEnvironmentKeyIdInToken
  case badPath
  case methodNotAllowed
  case expiredToken
  case unregistered
  case payloadTooLarge
  case tooManyProviderTokenUpdates
  case tooManyRequests
  case internalServerError
  case serviceUnavailable
  case shutdown

  // Broadcast alone.
  case featureNotEnabled
  case missingChannelId
  case badChannelId
  case channelNotRegistered
  case badRequestParams
  case badRequestPayload
  case missingPushType
  case cannotCreateChannelConfig
  case missingChannelQueueSize
  case topicMismatch
}

extension Reason {
  /// The reason with this word, as sent or as documented.
  package init?(name: String) {
    guard let row = ReasonRow.all.first(where: { $0.name == name || $0.documentedName == name }) else {
      return nil
    }
    self = row.reason
  }

  package var row: ReasonRow { ReasonRow.all[Int(rawValue) - 1] }
  package var status: UInt16 { row.status }

  /// The word as the service sends it; with the quirk `documentedReasons` as Apple's page has it.
  package func name(documented: Bool = false) -> String {
    documented ? row.documentedName ?? row.name : row.name
  }
}
