import APNSimTLS

/// The credentials of a provider that cannot read the simulator's files, as PEM.
package struct SharedCredentials: Hashable, Sendable {
  package var authority: String
  /// The key of provider tokens, and the provider's certificate and key; nil where they are not shared.
  package var authKey: String?
  package var providerCertificate: String?
  package var providerKey: String?
}

extension Endpoints {
  /// The texts of the files; nil if one cannot be read.
  package func credentials(withKeys: Bool) -> SharedCredentials? {
    func text(_ path: String) throws(TLSSetupError) -> String {
      String(decoding: try SetupFile.bytes(of: path), as: UTF8.self)
    }
    do throws(TLSSetupError) {
      var credentials = SharedCredentials(authority: try text(authorityFile))
      guard withKeys else { return credentials }
      credentials.authKey = try text(providerTokenKeyFile)
      credentials.providerCertificate = try text(providerCertificateFile)
      credentials.providerKey = try text(providerKeyFile)
      return credentials
    } catch {
      return nil
    }
  }
}
