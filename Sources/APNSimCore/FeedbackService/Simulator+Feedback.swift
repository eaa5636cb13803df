extension Simulator {
  /// A provider has connected to the feedback service.
  /// - Throws: why it is turned away.
  package func openFeedback(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> FeedbackConnection {
    let (record, holdsOpen) = enter(at: now) { world in
      (world.open(.feedback, opening), world.configuration.quirks.contains(.feedbackHoldOpen))
    }
    guard let record else { throw .noRoom }
    return FeedbackConnection(simulator: self, record: record, holdsOpen: holdsOpen)
  }
}
