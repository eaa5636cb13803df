/// The messages that wait on channels, and come to their ends.
extension World {
  /// A message's time on its channel is over.
  mutating func expireBroadcast(_ place: UInt32, at moment: Timestamp) {
    guard let message = channels[place]?.message, message.until == moment else { return }
    endMessage(of: place, .expired, detail: message.endsByExpiry ? 1 : 0)
  }

  /// Ends the wait of a message on a channel.
  mutating func endMessage(of place: UInt32, _ outcome: Outcome, detail: UInt64 = 0) {
    guard let key = channels[place]?.key, let message = channels.takeMessage(place), message.isUndelivered
    else { return }
    noteEnd(of: message.number, outcome, detail: detail)
    emit(.channel(.ended(outcome, key.app, id: key.id, notification: message.number, detail: detail)))
  }

  /// A broadcast that waited has come to its end.
  mutating func noteEnd(of number: UInt64, _ outcome: Outcome, detail: UInt64 = 0) {
    history.resolve(number, outcome, replacedBy: detail)
    tally.settle(outcome)
    if !waits.isEmpty { noteOutcome(of: number) }
  }
}
