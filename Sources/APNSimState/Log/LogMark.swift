/// A place in a log, between two inputs.
struct LogMark: Hashable {
  /// The number of the input before it.
  var number: UInt64
  /// The bytes of entries before it, since the log was opened.
  var written: Int
  /// The inputs before it that found no room.
  var gaps: Int
}
