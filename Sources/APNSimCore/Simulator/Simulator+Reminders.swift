extension Simulator {
  /// Hands the reminder to the outlet once so much simulated time has passed; the caller sees to `nextWake`.
  package func remind(_ reminder: Reminder, after span: TimeSpan, at now: Timestamp) {
    look(at: now) { $0.remind(reminder, at: $0.now + span) }
  }

  /// Forgets a reminder that nobody waits for any more.
  package func forget(_ reminder: Reminder) { withWorld { _ = $0.schedule.take(reminder) } }
}
