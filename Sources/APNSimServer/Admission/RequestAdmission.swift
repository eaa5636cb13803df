import APNSimCore
import APNSimTLS
import APNSimWire

/// The decision on a provider that has completed its handshake on a port of requests.
///
/// A chain that is not trusted, expired or revoked was refused in the handshake. A good certificate that this port does
/// not take gets GOAWAY instead, with the reason (seen: apns2 #93, pushy #312).
enum RequestAdmission: Sendable {
  case admitted(ProviderIdentity, hasCertificate: Bool)
  /// - Parameters:
  ///   - reason: as sent.
  ///   - cause: for people.
  case turnedAway(reason: String, cause: String)
}

extension ProviderAdmission {
  /// - Parameter certificate: nil for a provider that showed none, whose requests need provider tokens.
  func judgeForRequests(_ certificate: PeerCertificate?) -> RequestAdmission {
    guard let certificate else {
      return .admitted(
        ProviderIdentity(topics: [], environment: environment, subject: ""),
        hasCertificate: false
      )
    }
    switch judge(certificate) {
    case .admitted(let provider): return .admitted(provider, hasCertificate: true)
    case .refused(let refusal):
      let hasTopic = certificate.kind == .provider && !certificate.hasMalformedTopics
      let reason = hasTopic && !isGood(certificate) ? Reason.badCertificateEnvironment : .badCertificate
      return .turnedAway(reason: reason.name(), cause: refusal.reason)
    }
  }

  /// The policy of the TLS handshake on a port of requests: only a script refuses here.
  func refusalForRequests(
    of certificate: PeerCertificate,
    _ plan: ListenerPlan,
    _ arrival: Arrival,
    _ simulator: Simulator
  ) -> TLSRefusal? {
    guard case .admitted = judge(certificate) else { return nil }
    return refusal(of: certificate, plan, arrival, simulator)
  }
}
