package import APNSimTLS

/// A service to connect to over TLS, and the certificate to show it.
package struct ProviderTarget: Sendable, Equatable {
  package var host: String
  package var port: Int
  package var certificateFile: String
  /// Nil: the key is in the certificate's file.
  package var keyFile: String?
  package var password: String
  package var trust: TLSClientOptions.ServerTrust

  package init(
    host: String,
    port: Int,
    certificateFile: String,
    keyFile: String?,
    password: String,
    trust: TLSClientOptions.ServerTrust
  ) {
    (self.host, self.port) = (host, port)
    (self.certificateFile, self.keyFile, self.password) = (certificateFile, keyFile, password)
    self.trust = trust
  }

  /// `127.0.0.1:2195`, `[::1]:2195`
  package var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  package var isPKCS12: Bool { Self.isPKCS12(certificateFile) }

  /// True for the name of a PKCS#12 file.
  package static func isPKCS12(_ file: String) -> Bool {
    [".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) }
  }
}
