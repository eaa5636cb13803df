/// A moment that a listener waits for, by the number it chose.
///
/// Some faults are performed by whoever owns the connection, and their times are simulated all the same. So the
/// listener lets the simulator measure them, and is told through its outlet when the moment has come.
package struct Reminder: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension Simulator {
  /// Hands the reminder to the outlet once so much simulated time has passed; whoever asks sees to `nextWake`.
  package func remind(_ reminder: Reminder, after span: TimeSpan, at now: Timestamp) {
    enter(at: now) { $0.remind(reminder, at: $0.now + span) }
  }

  /// Nobody waits for the reminder any more.
  package func forget(_ reminder: Reminder) { withWorld { _ = $0.takeReminder(reminder) } }
}
