/// Takes the journal as it is written: JSON lines, in total order.
///
/// It is called under the simulator's lock and is to copy and return.
package protocol JournalRecorder: AnyObject, Sendable {
  func record(_ lines: UnsafeRawBufferPointer)
}

/// How far the journal has been written out, and to whom.
struct Recording {
  var recorders: [any JournalRecorder] = []
  /// Everything below these has been written.
  var nextNotification: UInt64 = 1
  var nextEvent: UInt64 = 1
  /// Where lines are rendered; empty between two writings.
  var lines = JournalLines()

  var isActive: Bool { !recorders.isEmpty }
}
