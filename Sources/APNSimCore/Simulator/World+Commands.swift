/// Commands, carried out.
extension World {
  /// - Parameter prepared: the outcome of preparing the beginning that it is, where that was done before.
  mutating func perform(
    _ command: Command,
    _ prepared: Result<PreparedBeginning, CommandError>? = nil
  ) throws(CommandError) {
    effects.renewJudges()
    switch command {
    case .putDevice(let specification): try put(specification)
    case .changeDevice(let change): try perform(change)
    case .removeDevice(let name): remove(device: try find(device: name))
    case .setOnline(let name, let isOnline): setOnline(try find(device: name), isOnline)
    case .setInstalled(let name, let key, let isInstalled):
      let device = try find(device: name)
      let registrations = devices.registrations(of: device).filter { index in
        key.map { $0.includes(apps[devices.registrations[index].app].key) } ?? true
      }
      if let key, registrations.isEmpty { throw .appNotOnDevice(device: name, app: key) }
      for registration in registrations.reversed() { setInstalled(registration, isInstalled) }
      tellTokens(of: device)
    case .rotateTokens(let name, let key): try rotateTokens(of: name, key)
    case .addFeedback(let specification): try add(specification)
    case .clearFeedback(let key): clearFeedback(key)
    case .advanceClock(let span):
      guard span >= .zero else { throw .backwards(span) }
      emit(.clockChanged(.advanced(span)))
      advance(to: now + span)
    case .setClock(let moment):
      emit(.clockChanged(.set(moment)))
      if moment > now { advance(to: moment) } else { schedule.goBack(to: moment) }
    case .freezeClock:
      emit(.clockChanged(.frozen))
      schedule.freeze()
    case .resumeClock:
      emit(.clockChanged(.resumed))
      schedule.resume()
    case .clearHistory:
      settleJournal()
      history.removeAll()
      emit(.historyCleared)
    case .removeApp(let name, let key):
      let device = try find(device: name)
      guard let app = apps.place(of: key), let registration = devices.registration(of: device, app: app)
      else {
        throw .appNotOnDevice(device: name, app: key)
      }
      removeApp(registration)
      tellTokens(of: device)
    case .addRule(let rule): try add(rule)
    case .removeRule(let name): try removeRule(name)
    case .clearRules: clearRules()
    case .addChannel(let specification): try add(specification)
    case .deleteChannel(let reference): deleteChannel(try find(reference))
    case .setSubscribed(let device, let reference, let isSubscribed):
      try setSubscribed(device, reference, isSubscribed)
    case .setBroadcast(let bundleId, let isOn): setBroadcast(bundleId, isOn)
    case .startActivity(let specification): try start(specification)
    case .endConnection(let id, let how):
      guard isOpen(id) else { throw .unknownConnection(id) }
      // A shutdown is the listener's to perform, with what it says then.
      if how != .shutdown { connections[id]?.record.end() }
      endSession(id)
      effects.end(id, how)
    case .reset: try reset(try? prepared?.get())
    case .replaceScenario(let scenario): try replace(by: scenario, prepared)
    }
  }
}

extension World {
  /// The wall time that a command's effect depends on; nil for a clock that stands still and goes on standing still,
  /// where the journal is the same whenever it is.
  func wallTime(for command: Command) -> Timestamp? {
    if !clock.isVirtual || clock.isRunning { return clock.wall }
    switch command {
    case .resumeClock: return clock.wall
    case .replaceScenario(let next):
      // Its clock may have a beginning of its own, or that of the scenario before it.
      guard case .virtual(let chosen) = next.clock else { return clock.wall }
      return chosen == nil && setup.scenario.clock != next.clock ? clock.wall : nil
    default: return nil
    }
  }
}
