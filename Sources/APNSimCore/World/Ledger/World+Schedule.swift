/// The things that are due on the clock.
extension World {
  /// Lets something be due at a moment. What nobody waits for any more makes room for it.
  mutating func schedule(_ task: Deadline.Task, at moment: Timestamp) {
    if schedule.isFull { schedule.keep(liveDeadlines) }
    schedule.add(task, at: moment)
  }

  mutating func remind(_ reminder: Reminder, at moment: Timestamp) {
    if schedule.isFull { schedule.keep(liveDeadlines) }
    schedule.add(reminder, at: moment)
  }

  /// The deadlines that would do something: a provider that keeps replacing one notification, or connections that
  /// come and go under a clock that stands still, must not fill the memory with others.
  private var liveDeadlines: [Deadline] {
    var live: [Deadline] = []
    /// The place in `live` of each registration's deadline: a notification can have the deadline of an earlier one.
    var places = [UInt32](repeating: .max, count: Int(devices.registrations.count))
    for deadline in schedule.unordered where isLive(deadline) {
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
    return live
  }

  func isLive(_ deadline: Deadline) -> Bool {
    switch deadline.task {
    case .expireStored(let registration):
      let handle = devices.registrations[registration].stored
      return handle != 0 && store.deadline(handle) == deadline.at
    case .expireToken(let registration): return devices.expiration(of: registration) == deadline.at
    case .expireCollapsed(let registration):
      return store.collapsed[registration].contains { store.deadline($0.handle) == deadline.at }
    case .sendReply(let id, let exchange):
      if let requests = connections[id]?.http2 { return requests.has(exchange) }
      return connections.gateway(id)?.replies[exchange] != nil
    case .expireBroadcast(let place): return channels[place]?.message?.until == deadline.at
    case .endActivity(let number): return activities[number]?.ended == nil && activities[number] != nil
    case .closeIdle(let id): return connections[id]?.record.isOpen == true
    case .remind(let reminder): return schedule.isWaited(for: reminder)
    case .comeOnline(let device), .refuse(let device): return devices.has(device)
    case .timeline, .addFeedback, .arrive: return true
    }
  }
}
