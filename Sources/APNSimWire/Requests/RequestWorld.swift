/// The facts that the judge of a request has to ask for: check by check, in their order, and only as far as it comes.
///
/// A generic parameter of the judge, so that nothing is boxed.
package protocol RequestWorld {
  /// The connection is a certificate's, and its requests need no provider token: one that comes is ignored.
  var hasCertificate: Bool { get }

  /// True where the topic cannot be taken from the certificate: with a provider token, or with several topics.
  var needsTopic: Bool { get }

  /// The reason for which a check that ``RequestCheck/needsWorld`` fails; nil where it passes.
  func refusal(by check: RequestCheck, of request: Request, in buffer: UnsafeRawBufferPointer) -> Reason?
}

/// A world of values: what each check of it answers, stated beforehand.
package struct StatedWorld: RequestWorld, Hashable, Sendable {
  package var hasCertificate: Bool
  package var needsTopic: Bool
  package var authorization: Reason?
  package var topic: Reason?
  package var deviceToken: Reason?
  package var registration: Reason?
  package var tokenTopic: Reason?
  package var feature: Reason?
  package var channel: Reason?
  package var channelRoom: Reason?
  /// False for a channel of policy 0.
  package var channelStores = true

  /// A world where all is well.
  package init(hasCertificate: Bool = false, needsTopic: Bool = true) {
    self.hasCertificate = hasCertificate
    self.needsTopic = needsTopic
  }

  package func refusal(by check: RequestCheck, of request: Request, in buffer: UnsafeRawBufferPointer)
    -> Reason?
  {
    switch check {
    case .authorization: authorization
    case .topic: topic
    case .deviceToken: deviceToken
    case .registration: registration
    case .tokenTopic: tokenTopic
    case .feature: feature
    case .channel: channel
    case .channelRoom: channelRoom
    case .storageExpiration: !channelStores && request.expiration != 0 ? .badExpirationDate : nil
    default: nil
    }
  }
}
