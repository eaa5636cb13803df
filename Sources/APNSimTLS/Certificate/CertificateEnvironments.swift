/// The environments a provider certificate is good for.
package struct CertificateEnvironments: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let production = CertificateEnvironments(rawValue: 1)
  /// Apple's certificates say "development".
  package static let sandbox = CertificateEnvironments(rawValue: 2)
  /// As Apple issues them since December 2015.
  package static let both: CertificateEnvironments = [.production, .sandbox]

  /// How Apple names the holder of such a certificate in its CN, before ": " and the topic.
  var service: String {
    switch self {
    case .production: "Apple Production IOS Push Services"
    case .sandbox: "Apple Development IOS Push Services"
    default: "Apple Push Services"
    }
  }
}
