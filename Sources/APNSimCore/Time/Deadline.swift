/// Something that is due at a simulated moment, and what to do then.
struct Deadline: Comparable {
  enum Task {
    /// Give up the stored notification of a registration, if it is still the one with this deadline.
    case expireStored(registration: UInt32)
    /// Do or look at what the timeline says.
    case timeline(index: Int)
    /// Put a scripted tuple into its list.
    case addFeedback(number: Int)
    /// Send the error response that waits on a connection.
    case sendReply(ConnectionID)
    /// Close a connection if nothing has come on it for its idle time.
    case closeIdle(ConnectionID)
    /// A magic token's device comes online, if it is still there: its registration's place may be another's by then.
    case comeOnline(MagicDevice)
    /// A magic token's device refuses what it was sent.
    case refuse(MagicDevice)
    /// A magic token's device reacts to what it was sent.
    case deliver(MagicDevice)
    /// Tell the listener, which waits for the moment.
    case remind(Reminder)
  }

  var at: Timestamp
  /// Breaks ties: deadlines set earlier come first.
  var order: UInt64
  var task: Task

  static func < (left: Deadline, right: Deadline) -> Bool {
    (left.at, left.order) < (right.at, right.order)
  }

  static func == (left: Deadline, right: Deadline) -> Bool {
    (left.at, left.order) == (right.at, right.order)
  }
}
