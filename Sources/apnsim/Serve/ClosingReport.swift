import APNSimCore
import APNSimWire

/// The report at the end of a run: losses after errors and lost answers that were never made good, and advice.
struct ClosingReport {
  let connections: [ConnectionView]
  let advice: [Advice]

  init(_ simulator: Simulator) {
    connections = simulator.connections().filter { connection in
      !connection.resend.lost.isEmpty
        || connection.listener == .http2 && !connection.resend.duplicated.isEmpty
    }
    advice = simulator.advice(atEnd: true)
  }

  var lines: [String] {
    // Certificates may contain any text.
    (losses + advised).map(TerminalText.visible)
  }

  private var advised: [String] {
    let shown = advice.prefix(Self.mostAdvice).map { "advice for \($0.provider): \($0.text)" }
    let rest = advice.count - shown.count
    return rest > 0 ? shown + ["advice on \(Number.grouped(rest)) more matters"] : shown
  }

  private var losses: [String] {
    let shown = connections.prefix(Self.mostConnections).map { connection in
      connection.listener == .http2 ? Self.answersLost(on: connection) : Self.framesLost(on: connection)
    }
    let rest = connections.count - shown.count
    return Array(shown) + (rest > 0 ? ["lost on \(rest) more connections"] : [])
  }

  private static func framesLost(on connection: ConnectionView) -> String {
    let resend = connection.resend
    let cause = connection.error.map { "status \($0.response.status.rawValue)" } ?? "its end"
    return "lost on \(connection.id) (\(connection.opening.provider.topic)): \(cause) discarded "
      + "\(connection.counts.discarded), \(resend.resent.count) were sent again, \(resend.lost.count) were not: "
      + names(resend.lost) + (resend.notFollowed > 0 ? " (\(resend.notFollowed) were not tracked)" : "")
  }

  /// `lost on c3 (provider tokens): GOAWAY (last stream 3) left 3 without an answer, 1 was sent again, 2 were not: n3, n4`
  private static func answersLost(on connection: ConnectionView) -> String {
    let resend = connection.resend
    let topic = connection.opening.provider.topic
    let cause =
      connection.goAway.map { "GOAWAY (last stream \($0.lastStream))" }
      ?? (connection.isOpen ? "it" : connection.closing == .reset ? "a reset" : "its end")
    var parts = [
      "\(cause) left \(resend.unanswered.count) without an answer", "\(were(resend.resent.count)) sent again",
    ]
    if !resend.lost.isEmpty { parts.append("\(were(resend.lost.count)) not: \(names(resend.lost))") }
    let spared = Set(resend.accepted).intersection(resend.lost).count
    if spared > 0 { parts.append("\(Number.grouped(spared)) of them had been accepted") }
    if !resend.duplicated.isEmpty {
      parts.append("\(were(resend.duplicated.count)) delivered twice: \(names(resend.duplicated))")
    }
    let provider = topic.isEmpty ? ProviderText.withoutCertificate : topic
    return "lost on \(connection.id) (\(provider)): " + parts.joined(separator: ", ")
  }

  private static func were(_ count: Int) -> String { count == 1 ? "1 was" : "\(Number.grouped(count)) were" }

  private static func names(_ references: [ProviderReference]) -> String {
    references.prefix(mostNames).map(\.description).joined(separator: ", ")
      + (references.count > mostNames ? ", …" : "")
  }

  private static let mostConnections = 10
  private static let mostNames = 10
  private static let mostAdvice = 50
}
