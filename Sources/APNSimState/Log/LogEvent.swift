/// An event of a log.
enum LogEvent: Hashable, Sendable {
  /// A segment was begun.
  case began
  /// Nothing can be kept now.
  case ranShort
  /// A segment was made, after that.
  case foundRoom
  /// Something failed; the simulator goes on.
  /// - isRepeated: true if the same has failed before, and not succeeded since.
  case failed(Failure, reason: String, isRepeated: Bool)

  enum Failure: Hashable, Sendable {
    case making
    case syncing
  }
}
