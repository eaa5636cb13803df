internal import APNSimCore
internal import APNSimTLS

/// Refuses good certificates in the handshake, in one of the shapes the real gateway was seen to.
extension ProviderAdmission {
  /// What the TLS handshake asks for: the provider's right to come in first, then a script's will.
  func refusal(
    of certificate: PeerCertificate,
    _ plan: ListenerPlan,
    _ arrival: Arrival,
    _ simulator: Simulator
  ) -> TLSRefusal? {
    switch judge(certificate) {
    case .refused(let refusal): return refusal
    case .admitted(let provider):
      return simulator.refusal(
        plan.listener,
        ordinal: arrival.ordinal,
        provider: provider,
        at: WallClock.now()
      ).map { TLSRefusal($0) }
    }
  }
}

extension TLSRefusal {
  fileprivate init(_ refusal: Fault.HandshakeRefusal) {
    switch refusal {
    case .alert(let number):
      let alert = TLSAlert(rawValue: number)
      self.init(alert, reason: "a rule refuses the certificate with \(alert)")
    case .close:
      self.init(.close, reason: "a rule closes the connection in the handshake")
    }
  }
}
