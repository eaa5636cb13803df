/// Something that is due at a simulated moment, in 24 bytes: each stored notification has one.
struct Deadline: Comparable {
  enum Task {
    /// Give up the stored notification of a registration, if it is still the one with this deadline.
    case expireStored(registration: UInt32)
    /// Give up what has waited its time for a registration under collapse identifiers.
    case expireCollapsed(registration: UInt32)
    /// Let the token of a registration expire, if it still does at this moment.
    case expireToken(registration: UInt32)
    /// Do or look at what the timeline says.
    case timeline(index: UInt32)
    /// Put a scripted tuple into its list.
    case addFeedback(number: UInt32)
    /// Send an answer that waits on a connection.
    case sendReply(ConnectionID, exchange: UInt32)
    /// Close a connection if nothing has come on it for its idle time.
    case closeIdle(ConnectionID)
    /// Bring a magic token's device online, if it is still there: its registration's place may be another's by then.
    case comeOnline(MagicDevice)
    /// Let a magic token's device refuse what it was sent.
    case refuse(MagicDevice)
    /// Let what is under way to a device arrive there.
    case arrive(place: UInt32)
    /// Give up what waits on a channel, if it is still the message with this deadline.
    case expireBroadcast(place: UInt32)
    /// Let an activity that follows a channel come to the end of its life.
    case endActivity(UInt64)
    /// Tell the listener, which waits for the moment.
    case remind(Reminder)
  }

  let at: Timestamp
  let task: Task
  // The order in the seven bytes that the task leaves of its two words.
  private let highest: UInt8
  private let high: UInt16
  private let low: UInt32

  /// - Parameter order: breaks ties: deadlines set earlier come first. 56 bits of it are kept.
  init(at: Timestamp, order: UInt64, task: Task) {
    self.at = at
    self.task = task
    highest = UInt8(truncatingIfNeeded: order >> 48)
    high = UInt16(truncatingIfNeeded: order >> 32)
    low = UInt32(truncatingIfNeeded: order)
  }

  fileprivate var order: UInt64 { UInt64(highest) << 48 | UInt64(high) << 32 | UInt64(low) }

  static func < (left: Deadline, right: Deadline) -> Bool {
    (left.at, left.order) < (right.at, right.order)
  }

  static func == (left: Deadline, right: Deadline) -> Bool {
    (left.at, left.order) == (right.at, right.order)
  }
}

/// A moment that a listener waits for, by the number it chose.
///
/// Some faults are performed by whoever owns the connection, and their times are simulated all the same. So the
/// listener lets the simulator measure them, and is told through its outlet when the moment has come.
package struct Reminder: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A deadline as it is written: nothing in it lies idle, unlike in the task that it stands for.
struct DeadlineRow: BitwiseCopyable {
  fileprivate let at: Int64
  /// The order in the lower 56 bits, and above it the number of the task.
  fileprivate let orderAndTask: UInt64
  /// The subject of the task: one number, or two of 32 bits, the first one below.
  fileprivate let subject: UInt64

  /// The tasks by their numbers. One is never given to another task: new ones come last.
  private enum Kind: UInt64 {
    case expireStored = 1, expireCollapsed, expireToken, timeline, addFeedback, sendReply, closeIdle,
      comeOnline, refuse, arrive, expireBroadcast, endActivity
  }

  /// Nil for a listener's reminder: the listener is not there any more when the row is read.
  init?(_ deadline: Deadline) {
    let kind: Kind
    switch deadline.task {
    case .expireStored(let registration): (kind, subject) = (.expireStored, UInt64(registration))
    case .expireCollapsed(let registration): (kind, subject) = (.expireCollapsed, UInt64(registration))
    case .expireToken(let registration): (kind, subject) = (.expireToken, UInt64(registration))
    case .timeline(let index): (kind, subject) = (.timeline, UInt64(index))
    case .addFeedback(let feedback): (kind, subject) = (.addFeedback, UInt64(feedback))
    case .sendReply(let id, let exchange): (kind, subject) = (.sendReply, Self.pair(id.rawValue, exchange))
    case .closeIdle(let id): (kind, subject) = (.closeIdle, UInt64(id.rawValue))
    case .comeOnline(let device):
      (kind, subject) = (.comeOnline, Self.pair(device.registration, device.serial))
    case .refuse(let device): (kind, subject) = (.refuse, Self.pair(device.registration, device.serial))
    case .arrive(let place): (kind, subject) = (.arrive, UInt64(place))
    case .expireBroadcast(let place): (kind, subject) = (.expireBroadcast, UInt64(place))
    case .endActivity(let activity): (kind, subject) = (.endActivity, activity)
    case .remind: return nil
    }
    at = deadline.at.rawValue
    orderAndTask = deadline.order | kind.rawValue << 56
  }

  private static func pair(_ low: UInt32, _ high: UInt32) -> UInt64 { UInt64(low) | UInt64(high) << 32 }

  /// The number that breaks ties.
  var order: UInt64 { orderAndTask & ((1 << 56) - 1) }

  /// Nil where no task has that number.
  var deadline: Deadline? {
    let low = UInt32(truncatingIfNeeded: subject)
    let high = UInt32(truncatingIfNeeded: subject >> 32)
    guard let kind = Kind(rawValue: orderAndTask >> 56) else { return nil }
    let task: Deadline.Task
    switch kind {
    case .expireStored: task = .expireStored(registration: low)
    case .expireCollapsed: task = .expireCollapsed(registration: low)
    case .expireToken: task = .expireToken(registration: low)
    case .timeline: task = .timeline(index: low)
    case .addFeedback: task = .addFeedback(number: low)
    case .sendReply: task = .sendReply(ConnectionID(rawValue: low), exchange: high)
    case .closeIdle: task = .closeIdle(ConnectionID(rawValue: low))
    case .comeOnline: task = .comeOnline(MagicDevice(registration: low, serial: high))
    case .refuse: task = .refuse(MagicDevice(registration: low, serial: high))
    case .arrive: task = .arrive(place: low)
    case .expireBroadcast: task = .expireBroadcast(place: low)
    case .endActivity: task = .endActivity(subject)
    }
    return Deadline(at: Timestamp(rawValue: at), order: order, task: task)
  }
}
