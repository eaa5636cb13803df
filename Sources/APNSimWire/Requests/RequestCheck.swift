/// A check that the service makes of a request. The order is data: ``CheckOrder``.
package enum RequestCheck: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case method
  case path
  /// The provider token or the certificate: the world's verdict.
  case authorization
  case deviceTokenPresence
  /// No header came twice.
  case repeats
  case messageId
  case requestId
  case topicPresence
  /// The topic is one that the provider may push to.
  case topic
  case pushType
  case priority
  case expiration
  case collapseId
  case payloadPresence
  case payloadSize
  /// The token is one of this environment.
  case deviceToken
  /// The app is there and the token has not expired.
  case registration
  /// The token is the topic's.
  case tokenTopic

  /// The App ID may broadcast.
  case feature
  case channelPresence
  case channelId
  case channel
  /// A channel that stores nothing takes no expiration but 0.
  case storageExpiration
  /// A channel's description is JSON.
  case description
  /// It has no attribute that is unknown.
  case attributes
  case storagePolicy
  case channelPushType
  /// The application has room for another channel.
  case channelRoom
  /// All passed.
  case none

  /// Its name in an explain list.
  package var name: String { "\(self)" }

  /// The evidence for its place and its reasons.
  package var evidence: Evidence {
    switch self {
    case .method, .authorization, .deviceTokenPresence, .topic, .feature, .storagePolicy, .pushType: .observed
    case .repeats, .requestId, .none: .inferred
    default: .documented
    }
  }
}
