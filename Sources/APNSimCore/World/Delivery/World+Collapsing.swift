import APNSimWire

/// Storing by collapse identifier: "the offline queue stores multiple notifications per bundle ID".
extension World {
  /// Hands a notification over that has a collapse identifier; an offline device keeps the last one of each.
  mutating func handOver(_ arrival: Arrival, under identifier: [UInt8]) -> (Outcome, replaced: UInt64) {
    let registration = devices.registrations[arrival.registration]
    guard !devices.devices[registration.device].isOnline, !registration.flags.contains(.dead) else {
      return handOver(arrival)
    }
    var replaced: UInt64 = 0
    if let handle = store.collapsed.make(roomFor: identifier, of: arrival.registration) {
      replaced = store.number(handle)
      store.remove(handle)
      resolve(replaced, .replaced, registration: arrival.registration, detail: arrival.number)
    }
    let (facts, outcome) = waiting(arrival)
    guard let facts else { return (outcome, replaced) }
    guard let handle = store.insert(facts, payload: arrival.payload) else { return (.notStored, replaced) }
    store.collapsed.add(.init(identifier: identifier, handle: handle), to: arrival.registration)
    schedule(.expireCollapsed(registration: arrival.registration), at: facts.deadline)
    return (.stored, replaced)
  }

  /// Gives up what has waited its time.
  mutating func expireCollapsed(_ registration: UInt32, at deadline: Timestamp) {
    var over: [UInt32] = []
    for entry in store.collapsed[registration] where store.deadline(entry.handle) <= deadline {
      over.append(entry.handle)
    }
    guard !over.isEmpty else { return }
    for handle in store.collapsed.take(of: registration, where: { over.contains($0) }) {
      let facts = store.facts(handle)
      store.remove(handle)
      resolve(facts.number, .expired, registration: registration, detail: facts.endsByExpiry ? 1 : 0)
    }
  }

  /// Everything that waits for an app, by its collapse identifiers and without one, in the order in which it came.
  mutating func deliverCollapsed(_ index: UInt32) {
    var handles = store.collapsed.takeAll(of: index)
    let last = devices.registrations[index].stored
    if last != 0 { handles.append(last) }
    devices.setStored(index, 0)
    var waiting: [(number: UInt64, handle: UInt32)] = []
    for handle in handles { waiting.append((store.number(handle), handle)) }
    for (_, handle) in waiting.sorted(by: { $0.number < $1.number }) {
      deliver(handle, to: index)
      store.remove(handle)
    }
  }

  /// Forgets the notifications that wait under collapse identifiers: they have nowhere to go.
  mutating func forgetCollapsed(_ index: UInt32) {
    for handle in store.collapsed.takeAll(of: index) {
      let number = store.number(handle)
      store.remove(handle)
      resolve(number, .refused, registration: index)
    }
  }
}
