internal import HeapModule

/// What is due later, within bounds: what nobody waits for any more makes room.
extension World {
  mutating func schedule(_ task: Deadline.Task, at moment: Timestamp) {
    if deadlines.count >= deadlineRoom { dropStaleDeadlines() }
    deadlines.insert(Deadline(at: moment, order: nextOrder, task: task))
    nextOrder += 1
  }

  mutating func remind(_ reminder: Reminder, at moment: Timestamp) {
    reminders[reminder] = moment
    schedule(.remind(reminder), at: moment)
  }

  /// A reminder has come due; nil when nobody waits for it any more.
  mutating func takeReminder(_ reminder: Reminder) -> Reminder? {
    reminders.removeValue(forKey: reminder).map { _ in reminder }
  }

  /// Forgets deadlines that would do nothing: a provider that keeps replacing one notification, or connections that
  /// come and go under a clock that stands still, must not fill the memory with them. What is left may double before
  /// it is looked through again, so that the looking costs next to nothing however much is left.
  private mutating func dropStaleDeadlines() {
    var live: [Deadline] = []
    /// Where in them the one of each registration is: a notification can have the deadline of one before it.
    var places = [UInt32](repeating: .max, count: Int(devices.registrations.count))
    for deadline in deadlines.unordered where isLive(deadline) {
      guard case .expireStored(let registration) = deadline.task else {
        live.append(deadline)
        continue
      }
      let place = Int(places[Int(registration)])
      if place < live.count {
        live[place] = min(live[place], deadline)
      } else {
        places[Int(registration)] = UInt32(live.count)
        live.append(deadline)
      }
    }
    deadlines = .init(live)
    deadlineRoom = max(Self.leastDeadlineRoom, 2 * live.count)
  }

  private func isLive(_ deadline: Deadline) -> Bool {
    switch deadline.task {
    case .expireStored(let registration):
      let handle = devices.registrations[registration].stored
      return handle != 0 && store.facts(handle).deadline == deadline.at
    case .sendReply(let id): return connections[id]?.pending != nil
    case .closeIdle(let id): return connections[id]?.isOpen == true
    case .remind(let reminder): return reminders[reminder] != nil
    case .comeOnline(let device), .refuse(let device): return devices.has(device)
    case .timeline, .addFeedback, .arrive: return true
    }
  }

  static var leastDeadlineRoom: Int { 4096 }
}
