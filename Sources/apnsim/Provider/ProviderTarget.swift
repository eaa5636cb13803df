import APNSimTLS

/// A service to connect to over TLS, and the certificate to show it.
struct ProviderTarget: Sendable, Equatable {
  var host: String
  var port: Int
  var certificateFile: String
  /// Nil: the key is in the certificate's file.
  var keyFile: String?
  var password: String
  var trust: TLSClientOptions.ServerTrust

  /// `127.0.0.1:2195`, `[::1]:2195`
  var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  var isPKCS12: Bool { Self.isPKCS12(certificateFile) }

  /// Whether a file is PKCS#12, by its name.
  static func isPKCS12(_ file: String) -> Bool {
    [".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) }
  }
}
