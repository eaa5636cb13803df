import COpenSSL

/// A server's refusal of a client during the handshake: its form and its reason.
///
/// Up to TLS 1.2 the client sees it as a failed handshake; under 1.3 it has finished its side already and
/// sees a connection that breaks at once.
package struct TLSRefusal: Sendable, Hashable {
  /// The form of a refusal on the wire.
  package enum Shape: Sendable, Hashable {
    /// A fatal alert. Any number up to TLS 1.2; under 1.3 numbers that are no judgement on a certificate
    /// become `certificate_unknown`.
    case alert(TLSAlert)
    /// TCP ends without an alert.
    case close
  }

  package var shape: Shape
  /// The reason in plain words, for the log.
  package var reason: String

  package init(_ shape: Shape, reason: String) {
    self.shape = shape
    self.reason = reason
  }

  package init(_ alert: TLSAlert, reason: String) { self.init(.alert(alert), reason: reason) }

  /// Makes the refusal for OpenSSL's verification result of a chain.
  init(verifyError: Int32) {
    let text = X509_verify_cert_error_string(Int(verifyError)).map { String(cString: $0) } ?? "not trusted"
    switch verifyError {
    case X509_V_ERR_CERT_REVOKED: self.init(.certificateRevoked, reason: "the certificate is revoked")
    case X509_V_ERR_CERT_HAS_EXPIRED: self.init(.certificateExpired, reason: "the certificate has expired")
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      self.init(.unknownCA, reason: "the certificate is not from a trusted CA (\(text))")
    default: self.init(.certificateUnknown, reason: "the certificate is not acceptable: \(text)")
    }
  }

  /// The verification result that makes OpenSSL send the alert.
  var verifyError: Int32 {
    guard case .alert(let alert) = shape else { return X509_V_ERR_UNSPECIFIED }
    return switch alert.rawValue {
    case 40: X509_V_ERR_APPLICATION_VERIFICATION
    case 42: X509_V_ERR_CERT_REJECTED
    case 43: X509_V_ERR_INVALID_PURPOSE
    case 44: X509_V_ERR_CERT_REVOKED
    case 45: X509_V_ERR_CERT_HAS_EXPIRED
    case 48: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
    case 51: X509_V_ERR_CERT_SIGNATURE_FAILURE
    // OpenSSL has no alert for this result, so it sends 46; the unspecified one would be an internal error.
    default: X509_V_ERR_PERMITTED_VIOLATION
    }
  }
}
