import HeapModule

/// The one clock of a simulator, and what is due on it: in order of time, and of when it was set among equals.
///
/// The clock is brought to a moment through everything that is due before it: `arrive` or `advance` sets out, `next`
/// gives one deadline after the other with the clock at its moment, and nil with the clock at the destination.
struct Schedule {
  private(set) var clock: SimulationClock
  private var deadlines = Heap<Deadline>()
  private var nextOrder: UInt64 = 0
  /// As many deadlines may wait before stale ones are looked for.
  private var room = Self.leastRoom
  /// Moments that listeners wait for.
  private var reminders: [Reminder: Timestamp] = [:]
  /// Nil while the clock is not being brought anywhere.
  private var destination: Destination?

  private struct Destination {
    var moment: Timestamp
    /// True if a running clock goes on from there, beside the wall.
    var isAnchored = false
  }

  private static var leastRoom: Int { 4096 }

  init(_ setting: ClockSetting, start wall: Timestamp) { clock = SimulationClock(setting, start: wall) }

  @inline(__always)
  var now: Timestamp { clock.now }

  /// Deadlines that wait, stale ones included.
  var count: Int { deadlines.count }

  /// When something is due next.
  var nextDeadline: Timestamp? { deadlines.min?.at }

  /// The wall time at which the clock shows the next deadline; nil when none waits or the clock stands still.
  var nextWake: Timestamp? { deadlines.min.flatMap { clock.wallTime(of: $0.at) } }

  // MARK: Time passes

  /// Takes an input's wall time: the clock is there at once where nothing is due on the way.
  /// - Returns: the moment to go to through `next(until:)` where something is.
  @inline(__always)
  mutating func arrive(at wall: Timestamp) -> Timestamp? {
    let target = clock.target(wall: wall)
    guard let next = deadlines.min, next.at <= target else {
      clock.reach(target)
      return nil
    }
    destination = Destination(moment: target)
    return target
  }

  /// Sets out for a moment by command. Where the clock is being advanced already, its destination is extended.
  /// - Returns: the moment to go to through `next(until:)` and to be anchored at; nil where it is on its way.
  mutating func advance(to moment: Timestamp) -> Timestamp? {
    guard let way = destination else {
      destination = Destination(moment: moment)
      return moment
    }
    destination = Destination(moment: max(way.moment, moment), isAnchored: true)
    return nil
  }

  /// Stays where it is instead of setting out. The wall's time is known all the same.
  mutating func stay() { destination = nil }

  /// The moment that the clock goes back to where it goes on at a wall time; nil where it does not go back.
  func moment(setBackTo wall: Timestamp) -> Timestamp? { clock.moment(setBackTo: wall) }

  /// Goes on after a restart at a wall time, which may lie before the last one that was known.
  mutating func goOn(from wall: Timestamp) { clock.goOn(from: wall) }

  /// Sets the clock back by command; its way ends there, if it is on one.
  mutating func goBack(to moment: Timestamp) {
    clock.set(moment)
    destination?.moment = moment
  }

  /// Takes the next deadline on the way, with the clock at its moment; nil at the end of the way.
  /// - Parameter moment: where the way ends if a new beginning has forgotten it.
  mutating func next(until moment: Timestamp) -> Deadline? {
    let end = destination?.moment ?? moment
    if let next = deadlines.min, next.at <= end {
      deadlines.removeMin()
      clock.reach(next.at)
      return next
    }
    clock.reach(end)
    if destination?.isAnchored == true { clock.anchor() }
    destination = nil
    return nil
  }

  /// Lets a running clock go on from where it is, beside the wall.
  mutating func anchor() { clock.anchor() }

  mutating func freeze() { clock.freeze() }

  mutating func resume() { clock.resume() }

  // MARK: Deadlines

  /// True if stale deadlines are to make room before another one is added.
  @inline(__always)
  var isFull: Bool { deadlines.count >= room }

  @inline(__always)
  mutating func add(_ task: Deadline.Task, at moment: Timestamp) {
    deadlines.insert(Deadline(at: moment, order: nextOrder, task: task))
    nextOrder += 1
  }

  /// All that wait, in no order.
  var unordered: [Deadline] { deadlines.unordered }

  /// Keeps only these of the deadlines. They may double before stale ones are looked for again, so that the looking costs
  /// next to nothing however many there are.
  mutating func keep(_ live: [Deadline]) {
    deadlines = Heap(live)
    room = max(Self.leastRoom, 2 * live.count)
  }

  // MARK: Reminders

  mutating func add(_ reminder: Reminder, at moment: Timestamp) {
    reminders[reminder] = moment
    add(.remind(reminder), at: moment)
  }

  func isWaited(for reminder: Reminder) -> Bool { reminders[reminder] != nil }

  /// Takes a reminder that has come due or that nobody waits for any more; false where nobody did.
  mutating func take(_ reminder: Reminder) -> Bool { reminders.removeValue(forKey: reminder) != nil }

  /// The reminders in order of time, and how long from now.
  var remindersLeft: [(reminder: Reminder, span: TimeSpan)] {
    reminders.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
      .map { (reminder: $0.key, span: $0.value - now) }
  }
}

/// The listeners' own deadlines are not written, nor is a way of the clock: there is none between two inputs. The places
/// that deadlines name are not looked at here.
extension Schedule: KeptByMembers {
  static let members = Members(checked: Self.init, \.clock, \.rows, \.nextOrder, \.room)

  private var rows: KeptRows<DeadlineRow> {
    let waiting = deadlines.unordered
    let rows = waiting.compactMap(DeadlineRow.init)
    guard rows.count < waiting.count else { return KeptRows(rows) }
    // Without the reminders the others lie as they will when they have been read.
    return KeptRows(Heap(rows.compactMap(\.deadline)).unordered.compactMap(DeadlineRow.init))
  }

  private init(
    _ state: StateReader,
    _ clock: SimulationClock,
    _ rows: KeptRows<DeadlineRow>,
    _ nextOrder: UInt64,
    _ room: Int
  ) throws(StateError) {
    (self.clock, self.nextOrder, self.room) = (clock, nextOrder, room)
    guard nextOrder < 1 << 56, room >= Self.leastRoom else {
      throw state.error("an order and a room for deadlines were expected, and \(nextOrder), \(room) found")
    }
    var waiting: [Deadline] = []
    waiting.reserveCapacity(rows.records.count)
    for row in rows.records {
      guard let deadline = row.deadline, row.order < nextOrder else {
        throw state.error("deadlines before number \(nextOrder) were expected, and one of \(row.order) found")
      }
      waiting.append(deadline)
    }
    deadlines = Heap(waiting)
  }
}
