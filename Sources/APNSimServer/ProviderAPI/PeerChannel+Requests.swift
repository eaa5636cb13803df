import APNSimCore
import Logging

/// The questions that only connections of requests ask of their peer.
extension PeerChannel {
  /// The streams of a connection, by the server's settings.
  func makeStreams(hasCertificate: Bool) -> RequestStreams {
    let requests = services.configuration.requests
    return RequestStreams(
      RequestStreams.Settings(
        streams: requests.maxStreams,
        firstTokenStreams: requests.firstTokenStreams,
        hasCertificate: hasCertificate,
        takesWhiteSpace: simulator.configuration.rules.have(.whiteSpace)
      ),
      services.providerTokens
    )
  }

  /// Logs what is notable about a connection that goes on, or was ended by its provider's mistake.
  func report(_ note: String, of connection: ConnectionID) {
    services.log.write(.unexpected, "\(plan.name): \(address) (\(connection)): \(note)")
  }

  /// Logs why an authorization was refused. The cause is looked for only if there is to be a line.
  func reportRefusal(_ answer: RequestAnswer) {
    services.log.write(
      .providerToken,
      "\(plan.name): \(address): n\(answer.notification): \(cause(of: answer))"
    )
  }

  private func cause(of answer: RequestAnswer) -> String {
    services.simulator.refusedAuthorization(of: answer.notification) ?? "\(answer.status), by a script"
  }
}
