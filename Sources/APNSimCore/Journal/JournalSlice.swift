extension Simulator {
  /// A stretch of the journal: whole lines, in total order.
  package struct JournalSlice: Sendable {
    package var lines: [UInt8]
    /// The kind of each line, and where its newline lies.
    package var marks: [Mark]
    /// The sequence number to go on from.
    package var next: UInt64
    /// The number of sequence numbers that are missing before the first line, because their records have left the
    /// history.
    package var missed: UInt64
    /// True if they are missing because the history was cleared: by a reset, a new scenario, or by itself.
    package var wasCleared: Bool
    /// True if there was nothing more at that moment.
    package var isLast: Bool
  }

  package struct Mark: Sendable {
    package var seq: UInt64
    package var event: String
    package var newline: Int
  }
}
