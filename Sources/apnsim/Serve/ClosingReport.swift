import APNSimCore
import APNSimWire

/// What a run has to say at its end: what errors cost the providers and was never made good, and advice.
struct ClosingReport {
  let connections: [ConnectionView]
  let advice: [Advice]

  init(_ simulator: Simulator) {
    connections = simulator.connections().filter { !$0.resend.lost.isEmpty }
    advice = simulator.advice()
  }

  var lines: [String] {
    // A certificate may say anything.
    (losses + advice.map { "advice for \($0.provider): \($0.text)" }).map(TerminalText.visible)
  }

  private var losses: [String] {
    let shown = connections.prefix(Self.mostConnections).map { connection in
      let resend = connection.resend
      let cause = connection.error.map { "status \($0.response.status.rawValue)" } ?? "its end"
      let named = resend.lost.prefix(Self.mostNames).map(\.description).joined(separator: ", ")
      let more = resend.lost.count > Self.mostNames ? ", …" : ""
      return "lost on \(connection.id) (\(connection.opening.provider.topic)): \(cause) discarded "
        + "\(connection.counts.discarded), \(resend.resent.count) were sent again, \(resend.lost.count) were not: "
        + named + more + (resend.notFollowed > 0 ? " (\(resend.notFollowed) were not tracked)" : "")
    }
    let rest = connections.count - shown.count
    return Array(shown) + (rest > 0 ? ["lost on \(rest) more connections"] : [])
  }

  private static let mostConnections = 10
  private static let mostNames = 10
}
