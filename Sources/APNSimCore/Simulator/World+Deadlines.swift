/// The way of the clock: what is due happens at its own moment, in order.
extension World {
  /// Brings the clock to an input's wall time, through everything that is due on the way.
  @inline(__always)
  mutating func arrive(at wall: Timestamp) {
    if let target = schedule.arrive(at: wall) { runDeadlines(until: target) }
  }

  /// Brings the clock to a moment by command, through everything that is due on the way, and lets it go on from there.
  mutating func advance(to moment: Timestamp) {
    guard let target = schedule.advance(to: moment) else { return }
    runDeadlines(until: target)
    schedule.anchor()
  }

  /// Brings the clock to a wall time that it had, as far as nothing is due on the way.
  mutating func reach(_ wall: Timestamp) {
    if schedule.arrive(at: wall) != nil { schedule.stay() }
  }

  mutating func runDeadlines(until target: Timestamp) {
    while let next = schedule.next(until: target) {
      switch next.task {
      case .expireStored(let registration): expireStored(registration, at: next.at)
      case .expireCollapsed(let registration): expireCollapsed(registration, at: next.at)
      case .expireToken(let registration): expireToken(registration, at: next.at)
      case .sendReply(let id, let exchange):
        if connections[id]?.http2 == nil { sendReply(id, exchange) } else { sendAnswer(id, exchange) }
      case .closeIdle(let id): closeIdle(id)
      case .comeOnline(let device) where devices.has(device):
        setOnline(devices.registrations[device.registration].device, true)
      case .refuse(let device) where devices.has(device): endRemoval(of: device)
      case .comeOnline, .refuse: break
      case .arrive(let place): arrive(place)
      case .expireBroadcast(let place): expireBroadcast(place, at: next.at)
      case .endActivity(let number): endActivity(number)
      case .remind(let reminder): if schedule.take(reminder) { effects.remind(reminder) }
      case .timeline(let index): follow(index)
      case .addFeedback(let number):
        if let entry = apps.scriptedFeedback.take(number) { addFeedback(entry.tuple, app: entry.app) }
      }
      recordInTime()
    }
  }
}
