import APNSimScenario
package import APNSimTLS
import NIOCore

/// A service to connect to over TLS, and the certificate to show it.
package struct ProviderTarget: Sendable, Equatable {
  package var host: String
  package var port: Int
  package var certificateFile: String
  /// Nil: the key is in the certificate's file.
  package var keyFile: String?
  package var password: String
  package var trust: TLSClientOptions.ServerTrust
  /// False for a provider that comes without a certificate, because it has tokens.
  package var showsCertificate = true

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

  /// The name that the server's certificate has to be for; nil for any.
  var serverName: String? { trust == .anyServer ? nil : host }

  /// The TLS options of a connection to it; `SSLKEYLOGFILE` names the file of the keys.
  func tls(timeout: TimeAmount) -> TLSClientOptions {
    var options = TLSClientOptions(trust: trust)
    if showsCertificate {
      options.identity =
        isPKCS12
        ? .pkcs12(file: certificateFile, password: password)
        : .files(certificate: certificateFile, key: keyFile, password: password)
    }
    options.handshakeTimeout = timeout
    options.keyLogFile = ProcessVariables["SSLKEYLOGFILE"].flatMap {
      $0.isEmpty ? nil : $0
    }
    return options
  }
}
