import APNSimCore
import APNSimTLS

/// Identifies a provider by its certificate and decides whether a listener admits it.
///
/// The chain has been verified before. "The certificate is limited to a single application, identified by its bundle
/// ID, and to one of two environments" (Local and Push Notification Programming Guide, 2011-08-09,
/// "Provider-to-Service Connection Trust"). A refusal is alert 46, certificate_unknown, the gateway's answer to a
/// wrong environment.
struct ProviderAdmission: Sendable {
  enum Decision: Sendable {
    case admitted(ProviderIdentity)
    case refused(TLSRefusal)
  }

  let environment: PushEnvironment

  func judge(_ certificate: PeerCertificate) -> Decision {
    if certificate.kind == .device { return refuse("it is a device's certificate, not a provider's") }
    if certificate.hasMalformedTopics {
      return refuse(
        "its topics extension cannot be read: expected up to \(TopicsExtension.limit) names, each with its kinds"
      )
    }
    let topics = certificate.topicNames.filter { !$0.isEmpty }
    guard !topics.isEmpty else {
      return refuse("it names no topic: expected a UID in the subject or the topics extension")
    }
    guard topics.allSatisfy(AppKey.isTopic) else {
      return refuse("it names something that is no topic: expected \(AppKey.expectedTopic)")
    }
    guard isGood(certificate) else {
      return refuse(
        "it is good for \(environment == .production ? "the sandbox" : "production") only, this is "
          + (environment == .production ? "production" : "the sandbox")
      )
    }
    return .admitted(
      ProviderIdentity(topics: topics, environment: environment, subject: certificate.subject)
    )
  }

  /// True if the certificate is valid for the environment; one without Apple's marks is valid for both.
  func isGood(_ certificate: PeerCertificate) -> Bool {
    guard certificate.isDevelopment || certificate.isProduction else { return true }
    return environment == .production ? certificate.isProduction : certificate.isDevelopment
  }

  private func refuse(_ reason: String) -> Decision {
    .refused(TLSRefusal(.certificateUnknown, reason: reason))
  }
}

/// Scripted refusals of valid certificates in the handshake, in the forms seen of the real gateway.
extension ProviderAdmission {
  /// The policy of the TLS handshake: the provider's admission first, then the script.
  func refusal(
    of certificate: PeerCertificate,
    _ plan: ListenerPlan,
    _ arrival: Arrival,
    _ simulator: Simulator
  ) -> TLSRefusal? {
    switch judge(certificate) {
    case .refused(let refusal): return refusal
    case .admitted(let provider): return refusal(of: provider, plan, arrival, simulator)
    }
  }

  /// The script's refusal alone.
  func refusal(
    of provider: ProviderIdentity,
    _ plan: ListenerPlan,
    _ arrival: Arrival,
    _ simulator: Simulator
  ) -> TLSRefusal? {
    simulator.refusal(plan.listener, ordinal: arrival.ordinal, provider: provider, at: WallClock.now()).map {
      TLSRefusal($0)
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
