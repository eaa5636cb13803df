/// The world's word on a request, as far as the judge asks for it: each check of it, stated beforehand.
package struct StatedWorld: Hashable, Sendable {
  /// The connection is a certificate's, and its requests need no provider token: one that comes is ignored.
  package var hasCertificate: Bool
  /// True where the topic cannot be taken from the certificate: with a provider token, or with several topics.
  package var needsTopic: Bool
  // The reasons for which a check fails that only the world can decide; nil where it passes.
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
}
