/// Takes the journal as it is written: JSON lines, in total order.
///
/// It is called under the simulator's lock and is to copy and return.
package protocol JournalRecorder: AnyObject, Sendable {
  func record(_ lines: UnsafeRawBufferPointer)
}

/// How far the journal has been written out, and to whom.
struct Recording {
  var recorders: [any JournalRecorder] = []
  /// Where all of them are: one that is added later is brought here first.
  var cursor = JournalCursor()
  /// Where lines are rendered; empty between two writings.
  let lines = JournalLines()

  var isActive: Bool { !recorders.isEmpty }
}

/// A place in the journal: everything below these has been written.
struct JournalCursor {
  var notification: UInt64 = 1
  var event: UInt64 = 1
}
