import APNSimWire
import DequeModule

/// The last notifications, deliveries and events, in one total order and within bounds.
///
/// Notifications and deliveries lie in rings, their bytes in one arena that is let go of from the beginning.
struct History: ~Copyable {
  private(set) var notifications: Ring<NotificationRecord>
  private(set) var deliveries: Ring<DeliveryRecord>
  private var events: Deque<EventRecord> = []
  private var arena = ByteArena()
  private(set) var nextSeq: UInt64 = 1
  /// Sequence numbers below this one may be missing: their records made room.
  private(set) var completeFrom: UInt64 = 1
  /// Sequence numbers below this one were cleared away on purpose.
  private(set) var clearedBefore: UInt64 = 1
  /// Notifications and deliveries below these were cleared away as well.
  private var firstKept: UInt64 = 1
  private var firstKeptDelivery: UInt64 = 1
  private let limits: Limits

  init(limits: Limits) {
    self.limits = limits
    notifications = Ring(capacity: limits.history)
    deliveries = Ring(capacity: limits.history)
  }

  /// An empty history that goes on counting where another one is.
  init(limits: Limits, after older: borrowing History) {
    self.limits = limits
    notifications = Ring(capacity: limits.history, from: older.notifications.end)
    deliveries = Ring(capacity: limits.history, from: older.deliveries.end)
    nextSeq = older.nextSeq
    completeFrom = older.nextSeq
    clearedBefore = older.nextSeq
    firstKept = older.notifications.end
    firstKeptDelivery = older.deliveries.end
    firstEvent = older.endEvent
  }

  /// Bytes that the events carry with them.
  private var eventBytes = 0
  /// Events are counted from 1, as notifications are; the oldest one kept and the one after the newest.
  private(set) var firstEvent: UInt64 = 1
  var endEvent: UInt64 { firstEvent + UInt64(eventCount) }
  var eventCount: Int { events.count }

  /// The events that were made beside the state before they came.
  private var opening = Opening()

  private struct Opening {
    /// The count of the first event that is none of them.
    var end: UInt64 = 0
    /// Sequence numbers before the first of them.
    var seqsBefore: UInt64 = 0
    /// The moment at which they all came.
    var time = Timestamp(seconds: 0)
  }

  /// The event of a count from `firstEvent` up to `endEvent`.
  func event(_ count: UInt64) -> EventRecord {
    var record = events[Int(count - firstEvent)]
    if count < opening.end {
      record.seq &+= opening.seqsBefore
      record.time = opening.time
    }
    return record
  }

  /// Takes over the events of a history that has nothing else, into one that has nothing yet. They come now.
  mutating func take(_ other: inout History, at now: Timestamp) {
    swap(&events, &other.events)
    swap(&eventBytes, &other.eventBytes)
    let before = nextSeq - 1
    firstEvent += other.firstEvent - 1
    opening = Opening(end: endEvent, seqsBefore: before, time: now)
    completeFrom = before + other.completeFrom
    nextSeq = before + other.nextSeq
  }

  /// The number the next notification gets: `n57` where people read it.
  var nextNumber: UInt64 { notifications.end }

  /// The number of notifications of a range that have made room for later ones. What was cleared away on purpose is not missed.
  func missing(from number: UInt64, before end: UInt64) -> UInt64 {
    let (start, stop) = (max(number, firstKept), min(end, notifications.first))
    return stop > start ? stop - start : 0
  }

  /// The number of deliveries, up to one that is not there any more, that have made room for later ones.
  /// - Parameter ordinal: those after this one.
  func missingDeliveries(after ordinal: UInt64, through last: UInt64) -> UInt64 {
    let before = max(ordinal, firstKeptDelivery - 1)
    return last > before ? last - before : 0
  }

  /// Takes the next place in the total order.
  mutating func takeSeq() -> UInt64 {
    let seq = nextSeq
    nextSeq += 1
    return seq
  }

  /// Keeps the bytes of a notification or a payload and returns their position.
  @inline(__always)
  mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UInt64 { arena.append(bytes) }

  /// Asks for the memory where the notifications after the next few will lie.
  ///
  /// The history is larger than the processor's nearer caches, and what is written to memory that is not there waits
  /// for it: a fifth of a notification's time, when many come in one read.
  @inline(__always)
  func prefetch() {
    let lead = 6
    notifications.prefetch(ahead: lead)
    deliveries.prefetch(ahead: lead)
    // Frames of the first two commands, which are about as long as that.
    let frame = 192
    arena.prefetch(frame, ahead: lead * frame)
  }

  /// The memory in which the record of the next notification is made.
  @inline(__always)
  mutating func upcomingNotification() -> UnsafeMutablePointer<NotificationRecord> {
    notifications.upcoming()
  }

  /// The record of the next notification has been made.
  @inline(__always)
  mutating func commitNotification() {
    if notifications.isFull { completeFrom = max(completeFrom, notifications.oldest.seq + 1) }
    notifications.commit()
  }

  /// Notes what has become of a notification that waited, if it is still there.
  /// - Parameter newer: the number of the notification that replaced it; 0 where none did.
  mutating func resolve(_ number: UInt64, _ outcome: Outcome, replacedBy newer: UInt64) {
    guard notifications.contains(number) else { return }
    notifications[number].outcome = outcome
    if outcome == .replaced { notifications[number].replacedBy = newer }
  }

  @inline(__always)
  mutating func append(_ record: DeliveryRecord) -> UInt64 { deliveries.append(record) }

  mutating func append(_ event: consuming EventRecord) {
    eventBytes += event.event.byteCount
    events.append(event)
    trimEvents()
  }

  /// Lets the oldest events make room for others.
  @inline(__always)
  mutating func trimEvents() {
    while events.count > limits.events || eventBytes > limits.eventBytes, let oldest = events.popFirst() {
      let seq = firstEvent < opening.end ? oldest.seq &+ opening.seqsBefore : oldest.seq
      completeFrom = max(completeFrom, seq + 1)
      firstEvent += 1
      eventBytes -= oldest.event.byteCount
    }
  }

  /// Lets go of what no record needs any more, and of records while there are too many bytes. Once per batch.
  ///
  /// A delivery goes with the notifications of its time: its bytes lie among theirs, and while it stayed, everything
  /// after them would.
  mutating func trim() {
    while arena.residentBytes > limits.historyBytes, notifications.count + deliveries.count > 0 {
      let oldest = oldestBytes
      if notifications.count > 0, notifications[notifications.first].evidence <= oldest {
        completeFrom = max(completeFrom, notifications[notifications.first].seq + 1)
        notifications.removeFirst()
      } else {
        deliveries.removeFirst()
      }
      arena.release(before: oldestBytes)
    }
    if notifications.count > 0 {
      let evidence = notifications[notifications.first].evidence
      while deliveries.count > 0, deliveries[deliveries.first].payload < evidence { deliveries.removeFirst() }
    }
    arena.release(before: oldestBytes)
  }

  private var oldestBytes: UInt64 {
    let notification = notifications.count > 0 ? notifications[notifications.first].evidence : arena.end
    let delivery = deliveries.count > 0 ? deliveries[deliveries.first].payload : arena.end
    return min(notification, delivery)
  }

  /// Bytes of memory that notifications and payloads take.
  var residentBytes: Int { arena.residentBytes }

  /// The bytes as sent.
  func evidence(of record: NotificationRecord) -> UnsafeRawBufferPointer {
    arena.bytes(at: record.evidence, count: Int(record.evidenceByteCount))
  }

  func payload(of record: DeliveryRecord) -> UnsafeRawBufferPointer {
    arena.bytes(at: record.payload, count: Int(record.payloadByteCount))
  }

  /// Forgets everything but the counting, so that numbers never repeat.
  mutating func removeAll() {
    notifications.removeAll()
    deliveries.removeAll()
    firstEvent += UInt64(events.count)
    events.removeAll()
    eventBytes = 0
    completeFrom = nextSeq
    clearedBefore = nextSeq
    firstKept = notifications.end
    firstKeptDelivery = deliveries.end
    arena.release(before: arena.end)
  }
}

/// Finding places in the total order.
extension History {
  /// The number of the first notification that has this sequence number or a later one.
  func firstNotification(from seq: UInt64) -> UInt64 {
    var (low, high) = (notifications.first, notifications.end)
    while low < high {
      let middle = low + (high - low) / 2
      if notifications[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The count of the first event that has this sequence number or a later one.
  func firstEvent(from seq: UInt64) -> UInt64 { firstEvent { $0.seq >= seq } }

  /// The place in the order of the first event at a moment or later; 0 where none is kept.
  func firstSeq(at moment: Timestamp) -> UInt64 {
    let place = firstEvent { $0.time >= moment }
    return place < endEvent ? event(place).seq : 0
  }

  /// The first event that has what all later ones have.
  private func firstEvent(_ has: (EventRecord) -> Bool) -> UInt64 {
    var (low, high) = (firstEvent, endEvent)
    while low < high {
      let middle = low + (high - low) / 2
      if has(event(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Being kept. How many bytes the events carry is counted again.
extension History {
  func write(to state: inout StateWriter) {
    notifications.write(to: &state)
    deliveries.write(to: &state)
    state.write(count: events.count)
    for count in firstEvent..<endEvent { event(count).write(to: &state) }
    arena.write(to: &state)
    for count in [nextSeq, completeFrom, clearedBefore, firstKept, firstKeptDelivery, firstEvent] {
      state.write(raw: count)
    }
  }

  /// - Parameter limits: those of the history that was written.
  init(reading state: inout StateReader, limits: Limits, texts: any StateTexts) throws(StateError) {
    self.init(limits: limits)
    notifications = try Ring(reading: &state, capacity: limits.history)
    deliveries = try Ring(reading: &state, capacity: limits.history)
    let count = try state.count()
    events.reserveCapacity(min(count, limits.events))
    for _ in 0..<count {
      let event = try EventRecord(reading: &state, texts: texts)
      eventBytes &+= event.event.byteCount
      events.append(event)
    }
    arena = try ByteArena(reading: &state)
    nextSeq = try state.read()
    completeFrom = try state.read()
    clearedBefore = try state.read()
    firstKept = try state.read()
    firstKeptDelivery = try state.read()
    firstEvent = try state.read()
    try checkCounts(state)
    try checkNotifications(state)
    try checkDeliveries(state)
  }

  /// Counts from here on are none of a history: adding to them could overflow.
  private static var unbelievable: UInt64 { 1 << 62 }

  private func checkCounts(_ state: StateReader) throws(StateError) {
    let most = Self.unbelievable
    guard nextSeq < most, firstEvent < most, notifications.end < most, deliveries.end < most,
      completeFrom <= nextSeq, clearedBefore <= nextSeq, firstKept <= notifications.end,
      firstKeptDelivery > 0, firstKeptDelivery <= deliveries.end,
      events.allSatisfy({ $0.seq < nextSeq })
    else { throw state.error("the counts of the history do not go together") }
  }

  /// True for bytes that were given out.
  private func wasKept(_ position: UInt64, count: Int) -> Bool {
    position <= arena.end && UInt64(count) <= arena.end - position
  }

  private func checkNotifications(_ state: StateReader) throws(StateError) {
    var number = notifications.first
    while number < notifications.end {
      let record = notifications[number]
      let count = Int(record.evidenceByteCount)
      let fields = record.fields
      guard record.seq < nextSeq, wasKept(record.evidence, count: count), evidence(of: record).count == count,
        Int(fields.tokenStart) + fields.tokenByteCount <= count,
        Int(fields.payloadStart) + fields.payloadByteCount <= count
      else { throw state.error("the notification n\(number) does not lie in the history") }
      number += 1
    }
  }

  private func checkDeliveries(_ state: StateReader) throws(StateError) {
    var ordinal = deliveries.first
    while ordinal < deliveries.end {
      let record = deliveries[ordinal]
      guard record.previous < ordinal, wasKept(record.payload, count: Int(record.payloadByteCount)) else {
        throw state.error("the delivery \(ordinal) does not lie in the history")
      }
      ordinal += 1
    }
  }

  /// True if all that its notifications refer to can be there.
  /// - Parameters:
  ///   - registrations: the places that there are for registrations.
  ///   - apps: the number of apps.
  func isWithin(registrations: UInt32, apps: Int) -> Bool {
    var number = notifications.first
    while number < notifications.end {
      let record = notifications[number]
      guard record.registration == Registration.none || record.registration < registrations,
        Int(record.app) < apps
      else { return false }
      number += 1
    }
    return true
  }
}
