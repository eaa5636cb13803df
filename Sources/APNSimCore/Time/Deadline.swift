/// Something that is due at a simulated moment, and what to do then.
struct Deadline: Comparable {
  enum Task {
    /// Give up the stored notification of a registration, if it is still the one with this deadline.
    case expireStored(registration: UInt32)
    /// Put a scripted tuple into its list.
    case addFeedback(index: Int)
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
