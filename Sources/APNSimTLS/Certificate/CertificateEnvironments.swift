/// The environments for which a provider certificate is valid.
package struct CertificateEnvironments: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let production = CertificateEnvironments(rawValue: 1)
  /// The sandbox, which Apple's certificates call "development".
  package static let sandbox = CertificateEnvironments(rawValue: 2)
  /// Both environments, as Apple issues certificates since December 2015.
  package static let both: CertificateEnvironments = [.production, .sandbox]

  /// Apple's name for the holder of such a certificate in its CN, before ": " and the topic.
  var service: String {
    switch self {
    case .production: "Apple Production IOS Push Services"
    case .sandbox: "Apple Development IOS Push Services"
    default: "Apple Push Services"
    }
  }
}
