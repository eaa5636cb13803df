import APNSimWire
import DequeModule

/// The Live Activities of all devices, within bounds.
struct ActivityBook {
  private var activities: [UInt64: Activity] = [:]
  /// The activities of each device, in the order in which they began.
  private var byDevice: [UInt32: [UInt64]] = [:]
  private var byToken: [TokenKey: UInt64] = [:]
  /// Tokens of apps' that devices replaced, and those of activities that made way: they mean nothing any more.
  private var stale: Set<TokenKey> = []
  private var staleInOrder: Deque<TokenKey> = []
  /// Notifications that wait for registrations that are offline are for these activities.
  private var waiting: [UInt32: [Waiting]] = [:]
  /// Pushes that showed nothing, by device and by notification.
  private var ignored: [UInt32: Deque<IgnoredPush>] = [:]
  private var reasons: [UInt64: String] = [:]
  private var reasonsInOrder: Deque<UInt64> = []
  private var lastNumber: UInt64 = 0
  private var byteCount = 0

  struct TokenKey: Hashable {
    let app: AppKey
    let token: [UInt8]
  }

  struct Waiting {
    let notification: UInt64
    let activity: UInt64?
  }

  /// The most activities of a device, of all devices, and their bytes; past it those that are over make way, then the
  /// oldest, and of all devices further ones are not shown.
  static let mostOfDevice = 32
  static let most = 100_000
  static let mostBytes = 128 << 20
  /// The most pushes without effect that are remembered, of a device and of all.
  static let mostIgnored = 32
  static let mostReasons = 10_000
  static let mostStale = 100_000
  /// The most notifications that wait for an app, by their collapse identifiers and without one.
  static let mostWaiting = 101

  // MARK: Looking

  var isEmpty: Bool { activities.isEmpty && waiting.isEmpty && stale.isEmpty && ignored.isEmpty }
  var hasRoom: Bool { activities.count < Self.most && byteCount < Self.mostBytes }

  subscript(number: UInt64) -> Activity? { activities[number] }

  /// The activity of a token.
  func activity(of token: [UInt8], app: AppKey) -> Activity? {
    byToken.isEmpty ? nil : byToken[TokenKey(app: app, token: token)].flatMap { activities[$0] }
  }

  func isStale(_ token: [UInt8], app: AppKey) -> Bool {
    !stale.isEmpty && stale.contains(TokenKey(app: app, token: token))
  }

  /// The oldest activity of a token, whatever its app.
  func activity(of token: [UInt8]) -> Activity? {
    byToken.lazy.filter { $0.key.token == token }.map(\.value).min().flatMap { activities[$0] }
  }

  /// The apps for which a token was replaced.
  func apps(ofStale token: [UInt8]) -> [AppKey] { stale.filter { $0.token == token }.map(\.app) }

  func activities(of device: UInt32) -> [Activity] {
    (byDevice[device] ?? []).compactMap { activities[$0] }
  }

  /// The activities of a device that a channel updates.
  func activities(of device: UInt32, on channel: UInt32) -> [Activity] {
    byDevice.isEmpty ? [] : activities(of: device).filter { $0.channel?.place == channel }
  }

  func ignored(of device: UInt32) -> [IgnoredPush] { Array(ignored[device] ?? []) }

  /// The reason why a notification showed nothing; nil where it showed something, and where that is forgotten.
  func reason(of notification: UInt64) -> String? { reasons.isEmpty ? nil : reasons[notification] }

  /// The number that the next activity gets.
  var nextNumber: UInt64 { lastNumber + 1 }

  // MARK: Changing

  /// Adds an activity of the next number; on a device with too many another makes way.
  mutating func add(_ activity: Activity, at now: Timestamp) {
    lastNumber = activity.number
    let before = activities(of: activity.device)
    if before.count >= Self.mostOfDevice {
      let out = before.min { ($0.state(at: now), $0.number) < ($1.state(at: now), $1.number) }
      if let out { remove(out.number) }
    }
    activities[activity.number] = activity
    byDevice[activity.device, default: []].append(activity.number)
    if let token = activity.token { byToken[TokenKey(app: activity.app, token: token)] = activity.number }
    byteCount += activity.byteCount
  }

  /// Puts an activity in the place of what it was; its token stays.
  mutating func put(_ activity: Activity) {
    guard let before = activities[activity.number] else { return }
    byteCount += activity.byteCount - before.byteCount
    activities[activity.number] = activity
  }

  private mutating func remove(_ number: UInt64) {
    guard let activity = activities.removeValue(forKey: number) else { return }
    byteCount -= activity.byteCount
    byDevice[activity.device]?.removeAll { $0 == number }
    if byDevice[activity.device]?.isEmpty == true { byDevice[activity.device] = nil }
    guard let token = activity.token else { return }
    byToken[TokenKey(app: activity.app, token: token)] = nil
    noteStale(token, app: activity.app)
  }

  /// Removes the activities of an app that goes from its device, and what waits for it.
  mutating func removeAll(of registration: UInt32, device: UInt32) {
    guard !isEmpty else { return }
    waiting[registration] = nil
    for activity in activities(of: device) where activity.registration == registration {
      remove(activity.number)
    }
  }

  /// Forgets a device.
  mutating func forget(device: UInt32) { ignored[device] = nil }

  /// An app's token was replaced by another one.
  mutating func noteStale(_ token: [UInt8], app: AppKey) {
    let key = TokenKey(app: app, token: token)
    guard stale.insert(key).inserted else { return }
    staleInOrder.append(key)
    if staleInOrder.count > Self.mostStale, let oldest = staleInOrder.popFirst() { stale.remove(oldest) }
  }

  /// Takes the activities of an app whose token changes.
  mutating func detach(from registration: UInt32, device: UInt32) -> [UInt64] {
    let numbers = activities(of: device).filter { $0.registration == registration }.map(\.number)
    for number in numbers { activities[number]?.registration = .max }
    return numbers
  }

  mutating func attach(_ numbers: [UInt64], to registration: UInt32) {
    for number in numbers { activities[number]?.registration = registration }
  }

  /// Notes that a notification that waits for a registration is for an activity, or to start one.
  mutating func noteWaiting(_ notification: UInt64, for activity: UInt64?, on registration: UInt32) {
    waiting[registration, default: []].append(Waiting(notification: notification, activity: activity))
    if waiting[registration, default: []].count > Self.mostWaiting { waiting[registration]?.removeFirst() }
  }

  /// Takes what waits for a registration, if it is this notification.
  mutating func takeWaiting(_ notification: UInt64, on registration: UInt32) -> (
    activity: UInt64?, isKnown: Bool
  ) {
    guard !waiting.isEmpty, let list = waiting[registration],
      let entry = list.first(where: { $0.notification == notification })
    else { return (nil, false) }
    let left = list.filter { $0.notification > notification }
    waiting[registration] = left.isEmpty ? nil : left
    return (entry.activity, true)
  }

  mutating func noteIgnored(_ push: IgnoredPush, device: UInt32?) {
    if reasons.updateValue(push.reason, forKey: push.notification) == nil {
      reasonsInOrder.append(push.notification)
    }
    if reasonsInOrder.count > Self.mostReasons, let oldest = reasonsInOrder.popFirst() {
      reasons[oldest] = nil
    }
    guard let device else { return }
    guard ignored[device] != nil || ignored.count < Self.most else { return }
    ignored[device, default: []].append(push)
    if ignored[device, default: []].count > Self.mostIgnored { ignored[device]?.removeFirst() }
  }
}

extension Activity.State: Comparable {
  /// An activity that is seen less makes way first.
  package static func < (left: Activity.State, right: Activity.State) -> Bool { left.weight < right.weight }

  private var weight: Int {
    switch self {
    case .dismissed: 0
    case .ended: 1
    case .stale: 2
    case .active: 3
    }
  }
}

extension ActivityBook.Waiting: KeptByMembers {
  static let members = Members(Self.init, \.notification, \.activity)
}

extension ActivityBook.TokenKey: KeptByMembers {
  static let members = Members(Self.init, \.app, \.token)
}

// Staleness, and the activities of each device, follow from the orders in which they came.
extension ActivityBook: KeptByMembers {
  static let members = Members(
    checked: Self.init,
    \.entries,
    \.staleInOrder,
    \.waiting,
    \.ignored,
    \.reasonEntries,
    \.lastNumber
  )

  /// An activity as it is written.
  struct Entry {
    let activity: Activity
    /// False for the earlier one of two with one token: the later one is found by it.
    let isFoundByToken: Bool
  }

  struct Reason {
    let notification: UInt64
    let text: String
  }

  private var entries: [Entry] {
    activities.sorted { $0.key < $1.key }.map { number, activity in
      let found = activity.token.flatMap { byToken[TokenKey(app: activity.app, token: $0)] }
      return Entry(activity: activity, isFoundByToken: found == number)
    }
  }

  private var reasonEntries: [Reason] {
    reasonsInOrder.map { Reason(notification: $0, text: reasons[$0] ?? "") }
  }

  private init(
    _ state: StateReader,
    _ entries: [Entry],
    _ stale: Deque<TokenKey>,
    _ waiting: [UInt32: [Waiting]],
    _ ignored: [UInt32: Deque<IgnoredPush>],
    _ reasons: [Reason],
    _ lastNumber: UInt64
  ) throws(StateError) {
    self.init()
    (staleInOrder, self.stale, self.waiting, self.ignored) = (stale, Set(stale), waiting, ignored)
    guard self.stale.count == stale.count else { throw state.error("a token is stale twice") }
    for entry in entries { try add(entry, state) }
    for reason in reasons {
      guard self.reasons.updateValue(reason.text, forKey: reason.notification) == nil else {
        throw state.error("n\(reason.notification) has two reasons")
      }
      reasonsInOrder.append(reason.notification)
    }
    try state.expectCounted(lastNumber)
    guard self.lastNumber <= lastNumber else {
      throw state.error("the last activity is a\(lastNumber), and there is a\(self.lastNumber)")
    }
    self.lastNumber = lastNumber
  }

  /// Adds the next one of those that are read.
  private mutating func add(_ entry: Entry, _ state: StateReader) throws(StateError) {
    let (activity, number) = (entry.activity, entry.activity.number)
    guard number > lastNumber else {
      throw state.error("an activity after a\(lastNumber) was expected, and a\(number) found")
    }
    lastNumber = number
    activities[number] = activity
    byDevice[activity.device, default: []].append(number)
    byteCount += activity.byteCount
    guard entry.isFoundByToken, let token = activity.token else { return }
    guard byToken.updateValue(number, forKey: TokenKey(app: activity.app, token: token)) == nil else {
      throw state.error("two activities are found by one token")
    }
  }

  /// - Parameters:
  ///   - devices: the number of places that there are for devices.
  ///   - registrations: that of those for registrations.
  init(reading state: inout StateReader, devices: UInt32, registrations: UInt32) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(activities.values.map(\.device), below: devices)
    try state.expect(activities.values.map(\.registration), below: registrations)
    try state.expect(waiting.keys, below: registrations)
  }
}

extension ActivityBook.Entry: KeptByMembers {
  static let members = Members(Self.init, \.activity, \.isFoundByToken)
}

extension ActivityBook.Reason: KeptByMembers {
  static let members = Members(Self.init, \.notification, \.text)
}
