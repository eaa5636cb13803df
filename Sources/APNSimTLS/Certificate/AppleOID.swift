/// The object identifiers of Apple's push certificates.
package enum AppleOID {
  /// The mark of the development environment ("sandbox").
  package static let development = "1.2.840.113635.100.6.3.1"
  /// The mark of the production environment.
  package static let production = "1.2.840.113635.100.6.3.2"
  /// The topics extension; see ``TopicsExtension``.
  package static let topics = "1.2.840.113635.100.6.3.6"
  /// The subject's user identifier, which holds the topic (RFC 4519, `uid`).
  package static let userID = "0.9.2342.19200300.100.1.1"
}
