extension Simulator {
  /// A provider has connected to push by requests.
  /// - Parameter opening: its provider has the topics of the certificate, none without one.
  /// - Throws: why it is turned away.
  package func openRequests(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> RequestConnection {
    let record = try submit(RequestsOpening(opening: opening), at: now).get()
    return RequestConnection(simulator: self, record: record)
  }
}
