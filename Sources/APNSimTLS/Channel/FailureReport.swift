import COpenSSL

/// Turns OpenSSL's errors after a failure into a ``TLSError`` that people understand.
struct FailureReport {
  var ssl: OpaquePointer
  var errors: [OpenSSL.QueuedError]
  var refusal: TLSRefusal?
  var alertReceived: TLSAlert?
  var role: TLSContext.Role
  var isEstablished: Bool
  var firstBytes: [UInt8]

  var error: TLSError {
    if !isEstablished, role == .server, let finding = FirstBytes.judge(firstBytes) {
      return make(finding.kind, finding.text)
    }
    if let refusal { return make(.refusedCertificate, refusal.reason) }
    let reason = errors.last(where: { $0.library == ERR_LIB_SSL })?.reason
    switch reason {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return make(.noCertificate, "expected a client certificate, the peer sent none")
    case SSL_R_NO_SHARED_CIPHER:
      return make(.noSharedCipher, "the peer offers no cipher that this side accepts")
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH,
      SSL_R_UNKNOWN_PROTOCOL:
      return make(.unsupportedVersion, versionText)
    case SSL_R_WRONG_VERSION_NUMBER where !isEstablished:
      return make(.notTLS, "expected a TLS record, found \(Hexadecimal.text(firstBytes.prefix(8)))")
    case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC:
      return make(.damagedRecord, "a record cannot be decrypted: it is damaged or forged")
    default: break
    }
    if let alertReceived, alertReceived != .closeNotify { return refusedByPeer(alertReceived) }
    let text = errors.last?.text ?? "unknown reason"
    return make(.protocolViolation, "the peer violates the TLS protocol: \(text)")
  }

  private func refusedByPeer(_ alert: TLSAlert) -> TLSError {
    let hint =
      switch (alert, role) {
      case (.unknownCA, .server): Self.untrusted
      case (.badCertificate, .server), (.certificateUnknown, .server): distrust
      case (.unknownCA, .client): ": the client certificate is not from a CA the server trusts"
      case (.certificateRevoked, .client): ": the client certificate is revoked"
      case (.certificateExpired, .client): ": the client certificate has expired"
      case (.certificateUnknown, .client): ": the client certificate is not for this service"
      default: ""
      }
    return make(.refusedByPeer, "the peer sent alert \(alert)\(hint)")
  }

  private static let untrusted =
    ": it does not trust this server's certificate; give it ca.pem (OpenSSL, Go, Python and Ruby read SSL_CERT_FILE, Node "
    + "NODE_EXTRA_CA_CERTS, Python's requests REQUESTS_CA_BUNDLE, curl CURL_CA_BUNDLE, Java a trust store)"

  /// The cause of alerts by which clients refuse a server's certificate for its CA, and for its name too.
  private var distrust: String {
    guard let own = SSL_get_certificate(ssl) else { return "" }
    let certificate = X509Certificate(sharing: own)
    let names = certificate.serverNames.joined(separator: ", ")
    if let text = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) {
      let asked = String(cString: text)
      if !certificate.names(asked) {
        return ": it looks for \(asked), and this server's certificate is for \(names) "
          + "(--server-name \(asked) adds the name; the CA is ca.pem)"
      }
      return Self.untrusted
    }
    return
      ": it does not trust this server's certificate (give it ca.pem), or looks for a name other than \(names) "
      + "(--server-name adds one)"
  }

  private var versionText: String {
    let offered = TLSVersion(wireValue: role == .server ? SSL_client_version(ssl) : SSL_version(ssl))
    let offer = offered.map { "TLS \($0.rawValue)" } ?? "another version"
    guard let least = TLSVersion(wireValue: apnsim_SSL_get_min_proto_version(ssl)),
      let most = TLSVersion(wireValue: apnsim_SSL_get_max_proto_version(ssl)), least <= most
    else { return "the peer speaks \(offer), which is outside the versions allowed here" }
    // A ClientHello of TLS 1.3 declares 1.2, and 1.3 in an extension (RFC 8446, 4.1.2).
    let isNewer = role == .server && offered.map { (least...most).contains($0) } == true
    return
      "the peer speaks \(isNewer ? "TLS 1.3 only" : offer), which is outside the versions allowed here: "
      + (least == most ? least.rawValue : "\(least.rawValue) to \(most.rawValue)")
  }

  private func make(_ kind: TLSError.Kind, _ reason: String) -> TLSError {
    TLSError(kind, reason, duringHandshake: !isEstablished)
  }
}
