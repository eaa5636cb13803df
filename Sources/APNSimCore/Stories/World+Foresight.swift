import APNSimWire
import HeapModule

/// Looking ahead of the clock without moving it.
extension World {
  func foresee(until end: Timestamp?, most: Int) -> Foresight {
    var foresight = Foresight(now: now)
    var ahead = Ahead()
    var outages = self.outages(until: end)[...]
    // Stale deadlines may stand before those that count.
    var room = 4 * most
    while true {
      let deadlines = earliest(room, until: end)
      for deadline in deadlines {
        while let outage = outages.first, outage.at <= deadline.at {
          foresight.upcoming.append(outage)
          outages.removeFirst()
        }
        foresight.upcoming += upcoming(deadline, &ahead)
        if foresight.upcoming.count > most || ahead.isOver { break }
      }
      if foresight.upcoming.count > most || ahead.isOver || deadlines.count < room { break }
      (foresight.upcoming, ahead) = ([], Ahead())
      outages = self.outages(until: end)[...]
      room *= 8
    }
    if !ahead.isOver { foresight.upcoming += outages }
    foresight.isCut = ahead.isOver || foresight.upcoming.count > most
    foresight.upcoming = Array(foresight.upcoming.prefix(most))
    return foresight
  }

  /// The changes that are known by then.
  private struct Ahead {
    /// The state of devices that the timeline or a magic token changes, and whether apps are on them.
    var online: [UInt32: Bool] = [:]
    var installed: [UInt32: Bool] = [:]
    /// Registrations that have got what waited for them.
    var emptied: Set<UInt32> = []
    /// The notifications that have expired in store.
    var expired: Set<UInt32> = []
    /// True after a new beginning: nothing is known of what comes then.
    var isOver = false
  }

  /// The earliest deadlines in order, stale ones included.
  private func earliest(_ count: Int, until end: Timestamp?) -> [Deadline] {
    var found = Heap<Deadline>()
    for deadline in schedule.unordered {
      if let end, deadline.at > end { continue }
      if found.count < count {
        found.insert(deadline)
      } else if let latest = found.max, deadline < latest {
        found.replaceMax(with: deadline)
      }
    }
    return found.unordered.sorted()
  }

  /// The ends of the outages that have begun, in order.
  private func outages(until end: Timestamp?) -> [Upcoming] {
    var found: [Upcoming] = []
    for index in book.order {
      guard let outage = book.entries[index].progress.outage, let until = outage.until, until > now,
        end.map({ until <= $0 }) ?? true, case .fault(let fault) = book.entries[index].rule.action
      else { continue }
      found.append(
        Upcoming(at: until, kind: .fault, text: "\(fault.name) ends: \(RuleBook.id(of: index))")
      )
    }
    return found.sorted { ($0.at, $0.text) < ($1.at, $1.text) }
  }

  private func upcoming(_ deadline: Deadline, _ ahead: inout Ahead) -> [Upcoming] {
    let moment = deadline.at
    guard isLive(deadline) else { return [] }
    func one(
      _ kind: Upcoming.Kind,
      _ text: String,
      notification: UInt64? = nil,
      device: String? = nil
    ) -> [Upcoming] {
      [Upcoming(at: moment, kind: kind, text: text, notification: notification, device: device)]
    }
    switch deadline.task {
    case .remind: return []
    case .expireStored(let registration):
      guard !ahead.emptied.contains(registration) else { return [] }
      let handle = devices.registrations[registration].stored
      // A deadline that was moved away and back stands there twice.
      guard ahead.expired.insert(handle).inserted else { return [] }
      return [expiry(handle, of: registration, at: moment)]
    case .expireCollapsed(let registration):
      guard !ahead.emptied.contains(registration) else { return [] }
      let due = store.collapsed[registration].map(\.handle)
        .filter { store.deadline($0) == moment && ahead.expired.insert($0).inserted }
      return due.map { expiry($0, of: registration, at: moment) }
    case .expireToken(let registration):
      let name = devices.ownerName(of: registration)
      let topic = apps[devices.registrations[registration].app].key.topic
      return one(.token, "the token of \(topic) on \(name) expires", device: name)
    case .timeline(let index): return follow(timeline.entries[Int(index)], at: moment, &ahead)
    case .addFeedback(let number):
      guard let entry = apps.scriptedFeedback[number] else { return [] }
      return one(
        .feedback,
        "token \(Self.short(entry.tuple.token)) of \(apps[entry.app].key.topic) is listed"
      )
    case .sendReply(let id, _): return one(.fault, "an answer leaves on \(id)")
    case .closeIdle(let id): return one(.fault, "\(id) is closed, unless something comes on it")
    case .comeOnline(let device):
      let number = devices.registrations[device.registration].device
      return online(number, true, at: moment, .magic, &ahead)
    case .refuse(let device):
      let name = devices.ownerName(of: device.registration)
      return one(.magic, "\(name) refuses what it was sent, and its token is listed", device: name)
    case .arrive(let place):
      let entry = underway[place]
      let number = store.facts(entry.handle).number
      let name = devices.has(entry.device) ? devices.ownerName(of: entry.device.registration) : nil
      let to = name.map { " at \($0)" } ?? ""
      return one(.magic, "n\(number) arrives\(to)", notification: number, device: name)
    case .expireBroadcast(let place):
      return one(.stored, "the message of channel \(channels[place]?.key.id ?? "") is given up")
    case .endActivity(let number): return one(.activity, "activity a\(number) ends")
    }
  }

  /// The end of a notification's wait.
  private func expiry(_ handle: UInt32, of registration: UInt32, at moment: Timestamp) -> Upcoming {
    let facts = store.facts(handle)
    let name = devices.ownerName(of: registration)
    let how = facts.endsByExpiry ? "expires in store" : "has been stored for as long as it may be"
    return Upcoming(
      at: moment,
      kind: .stored,
      text: "n\(facts.number) for \(name) \(how)",
      notification: facts.number,
      device: name
    )
  }

  // MARK: Timeline

  private func follow(_ entry: TimelineEntry, at moment: Timestamp, _ ahead: inout Ahead) -> [Upcoming] {
    let command: Command
    switch entry.action {
    case .expect(let expectation):
      return [Upcoming(at: moment, kind: .timeline, text: "expect: \(expectation.text)")]
    case .perform(let asked): command = asked
    }
    let plain = Upcoming(at: moment, kind: .timeline, text: command.words)
    switch command {
    case .setOnline(let name, let isOnline):
      guard let device = try? find(device: name) else { break }
      return online(device, isOnline, at: moment, .timeline, &ahead)
    case .changeDevice(let change):
      guard let device = try? find(device: change.device), let isOnline = change.isOnline else { break }
      return [plain] + online(device, isOnline, at: moment, .timeline, &ahead).dropFirst()
    case .setInstalled(let name, let key, let isInstalled):
      guard let device = try? find(device: name) else { break }
      for registration in devices.registrations(of: device)
      where key.map({ $0.includes(apps[devices.registrations[registration].app].key) }) ?? true {
        ahead.installed[registration] = isInstalled
      }
    case .removeDevice(let name):
      guard let device = try? find(device: name) else { break }
      for registration in devices.registrations(of: device) { ahead.emptied.insert(registration) }
    case .reset, .replaceScenario: ahead.isOver = true
    default: break
    }
    return [plain]
  }

  /// A device goes online or offline, and gets what waits for it.
  private func online(
    _ device: UInt32,
    _ isOnline: Bool,
    at moment: Timestamp,
    _ kind: Upcoming.Kind,
    _ ahead: inout Ahead
  ) -> [Upcoming] {
    let name = devices.name(of: device)
    var found = [
      Upcoming(at: moment, kind: kind, text: Command.words(name, isOnline: isOnline), device: name)
    ]
    let before = ahead.online.updateValue(isOnline, forKey: device) ?? devices.devices[device].isOnline
    guard isOnline, !before else { return found }
    for registration in devices.registrations(of: device).reversed() {
      guard ahead.emptied.insert(registration).inserted else { continue }
      let isThere =
        ahead.installed[registration] ?? devices.registrations[registration].flags.contains(.installed)
      let last = devices.registrations[registration].stored
      for handle in store.collapsed[registration].map(\.handle) + (last == 0 ? [] : [last])
      where !ahead.expired.contains(handle) {
        let number = store.number(handle)
        let what = isThere ? "is delivered to \(name)" : "is refused by \(name): the app is gone"
        found.append(
          Upcoming(
            at: moment,
            kind: .stored,
            text: "n\(number) \(what)",
            notification: number,
            device: name
          )
        )
      }
    }
    return found
  }

  /// `a73f…09c2`
  private static func short(_ token: [UInt8]) -> String {
    let digits = Hex.encode(token)
    return digits.count <= 12 ? digits : "\(digits.prefix(4))…\(digits.suffix(4))"
  }
}
