import APNSimTLS
import APNSimTestSupport
import Foundation

/// One directory of certificates for all tests, with EC keys since they are made in no time.
enum TestPKI {
  static let directory: PKIDirectory? = try? PKIDirectory.prepare(
    TemporaryDirectory.ofThisRun.file("server-certs"),
    algorithm: .p256
  )

  static func prepared() throws -> PKIDirectory {
    guard let directory else { throw Missing() }
    return directory
  }

  /// A provider's certificate for a topic, signed by the CA that the server under test believes.
  static func provider(
    _ topic: String,
    _ environments: CertificateEnvironments = .production,
    key: PrivateKey? = nil
  ) throws -> TLSIdentity {
    try identity(.provider(topics: [.init(name: topic)], environments: environments), key: key)
  }

  static func identity(_ template: CertificateTemplate, key: PrivateKey? = nil) throws -> TLSIdentity {
    let key = try key ?? PrivateKey.generate(.p256)
    return TLSIdentity(certificate: try authority().sign(template, for: key), key: key)
  }

  static func authority() throws -> CertificateAuthority {
    let directory = try prepared()
    let identity = try TLSIdentity(certificateFile: directory.caFile, keyFile: directory.file("ca.key"))
    return CertificateAuthority(certificate: identity.certificate, key: identity.key)
  }

  struct Missing: Error {}
}
