import APNSimCore
import APNSimTLS

/// The facts of a connection before it is open: the listener that it came by, its place there, and whom that listener
/// admits.
///
/// On a port that speaks HTTP/2 as well, a client that offers it goes over to the listener of requests in its ClientHello.
final class Entrance {
  private(set) var plan: ListenerPlan
  private(set) var arrival: Arrival
  private(set) var admission: ProviderAdmission
  /// True once the client has gone over to another listener.
  private(set) var hasGoneOver = false
  private let simulator: Simulator

  init(_ plan: ListenerPlan, _ arrival: Arrival, _ admission: ProviderAdmission, _ simulator: Simulator) {
    (self.plan, self.arrival, self.admission, self.simulator) = (plan, arrival, admission, simulator)
  }

  /// Goes over to the listener of requests, among whose connections it takes the next place.
  func goOverToRequests() {
    guard let requests = plan.requests else { return }
    plan = requests
    hasGoneOver = true
    admission = ProviderAdmission(environment: requests.environment)
    arrival.ordinal = simulator.takeOrdinal(of: .http2, at: WallClock.now())
  }

  /// The policy for a ClientHello: on a port of requests, where many providers show no certificate, a script refuses them
  /// here. In Apple's place the name that the client asks for decides its environment before.
  /// - Parameter name: the server name of the ClientHello (RFC 6066); nil where there is none.
  func refusalOfHello(askingFor name: String?) -> TLSRefusal? {
    if plan.followsName, let asked = name.flatMap({ AppleHost.environment(of: $0) }) {
      plan.environment = asked
      admission = ProviderAdmission(environment: asked)
    }
    guard case .http2 = plan.listener else { return nil }
    let stranger = ProviderIdentity(topics: [], environment: plan.environment, subject: "")
    return admission.refusal(of: stranger, plan, arrival, simulator)
  }

  /// The policy of the TLS handshake: how a certificate is refused; nil where it is not.
  func refusal(of certificate: PeerCertificate) -> TLSRefusal? {
    switch plan.listener {
    case .gateway, .feedback: admission.refusal(of: certificate, plan, arrival, simulator)
    case .http2: admission.refusalForRequests(of: certificate, plan, arrival, simulator)
    case .device: DeviceAdmission.refusal(of: certificate)
    }
  }
}
