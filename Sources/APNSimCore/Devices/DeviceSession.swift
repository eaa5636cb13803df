import APNSimWire
import DequeModule

/// The state of one connection to the device port, guarded by the simulator's lock.
final class DeviceSession {
  /// Something that is to be sent to the device.
  enum Output {
    case line([UInt8])
    case notification(DeviceNotification, PresentationContext)

    /// About the bytes of its line.
    var byteCount: Int {
      switch self {
      case .line(let bytes): bytes.count
      case .notification(let notification, _): 256 + 4 * notification.payload.count
      }
    }

    /// The line as it is sent, with its newline.
    var line: [UInt8] {
      switch self {
      case .line(let bytes): return bytes
      case .notification(var notification, let context):
        notification.presentation = context.presentation(of: notification.payload)
        return notification.line
      }
    }
  }

  private let beginning: Beginning
  /// The device it holds online; nil before it has said its apps and after it has lost the device.
  fileprivate(set) var device: UInt32?
  private(set) var queue: Deque<Output> = []
  private(set) var queuedBytes = 0
  private(set) var phase = Phase.open
  /// True if whoever performs knows that there is something to send.
  private(set) var isAwake = false
  /// Notifications handed to the connection.
  private(set) var delivered: UInt64 = 0
  /// The part of `delivered` that was never sent.
  private(set) var lost: UInt64 = 0

  enum Phase: UInt8, CaseIterable {
    case open
    /// The lines in the queue are the last.
    case ending
    case closed
  }

  /// The parts that never change.
  struct Beginning {
    let id: ConnectionID
    let opening: DeviceOpening
  }

  private init(_ beginning: Beginning) { self.beginning = beginning }

  convenience init(id: ConnectionID, opening: DeviceOpening) {
    self.init(Beginning(id: id, opening: opening))
  }

  var id: ConnectionID { beginning.id }
  var opening: DeviceOpening { beginning.opening }

  /// True if nothing that the device says is heard any more.
  var isEnding: Bool { phase != .open }

  /// Lets what is in the queue be the last.
  func end() { if phase == .open { phase = .ending } }

  /// Closes the connection, and loses what was not sent.
  /// - Returns: false for one that was closed already.
  func close() -> Bool {
    guard phase != .closed else { return false }
    phase = .closed
    loseQueue()
    return true
  }

  /// Notes that whoever performs knows that there is something to send.
  /// - Returns: false where that was known already.
  @discardableResult
  func wake() -> Bool {
    defer { isAwake = true }
    return !isAwake
  }

  /// Notes that whoever performs has taken everything, if so.
  func restIfDrained() { if isDrained { isAwake = false } }

  func append(_ output: Output) {
    queue.append(output)
    queuedBytes += output.byteCount
    if case .notification = output { delivered += 1 }
  }

  /// Takes outputs of about so many bytes, one at least.
  func take(_ maximumBytes: Int) -> [Output] {
    var taken: [Output] = []
    var byteCount = 0
    while let next = queue.first, taken.isEmpty || byteCount + next.byteCount <= maximumBytes {
      byteCount += next.byteCount
      queuedBytes -= next.byteCount
      taken.append(next)
      queue.removeFirst()
    }
    return taken
  }

  var isDrained: Bool { queue.isEmpty }

  /// Takes so many outputs without looking at them, as far as they are there.
  func drop(_ count: Int) -> Int {
    let dropped = min(max(0, count), queue.count)
    for output in queue.prefix(dropped) { queuedBytes -= output.byteCount }
    queue.removeFirst(dropped)
    return dropped
  }

  /// Forgets what was not sent.
  func loseQueue() {
    for case .notification in queue { lost += 1 }
    queue.removeAll()
    queuedBytes = 0
  }

  /// Gives up its unsent notifications, for the connection that takes its place.
  func giveNotifications() -> [Output] {
    let notifications = queue.filter { if case .notification = $0 { true } else { false } }
    delivered -= UInt64(notifications.count)
    queue.removeAll()
    queuedBytes = 0
    return Array(notifications)
  }
}

extension DeviceSession: KeptByMembers {
  static let members = Members(
    beginning: { (beginning: Beginning) in DeviceSession(beginning) },
    \.beginning,
    then: Place({ $0.device }, { $0.device = $1 }),
    Place({ $0.queue }, { (session, queue) in for output in queue { session.append(output) } }),
    Place({ $0.phase }, { $0.phase = $1 }),
    Place({ $0.isAwake }, { $0.isAwake = $1 }),
    Place({ $0.delivered }, { $0.delivered = $1 }),
    Place({ $0.lost }, { $0.lost = $1 })
  )

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectCounted(delivered, lost)
    let unsent = queue.count { if case .notification = $0 { true } else { false } }
    guard lost <= delivered, delivered - lost >= unsent else {
      throw state.error("\(lost) lost and \(unsent) unsent are not of \(delivered) notifications")
    }
  }

  /// Gives its notifications the contexts of their apps, which are not kept.
  fileprivate func show(in context: (AppKey, [String]) -> PresentationContext) {
    for (place, output) in queue.enumerated() {
      guard case .notification(let notification, let kept) = output else { continue }
      queue[place] = .notification(notification, context(notification.app, kept.languages))
    }
  }
}

extension DeviceSession.Beginning: KeptByMembers {
  static let members = Members(Self.init, \.id, \.opening)
}

extension DeviceSession.Phase: Kept {}

/// A notification is written with the languages in which it is shown; what else its context has follows from its app.
extension DeviceSession.Output: KeptByCases {
  enum Tag: UInt8, CaseIterable { case line, notification }

  func write(to state: inout StateWriter) {
    switch self {
    case .line(let bytes): state.write(Tag.line, bytes)
    case .notification(let notification, let context):
      state.write(Tag.notification, notification, context.languages)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    switch tag {
    case .line: self = try state.read(Self.line)
    case .notification:
      self = try state.read { notification, languages in
        let context = PresentationContext(bundle: AppBundle(), languages: languages, badgeAbsent: .keep)
        return .notification(notification, context)
      }
    }
  }
}

/// The connections to the device port: those that are not closed, and of them those that hold devices online, each by
/// its device.
struct DeviceSessions {
  /// The connections that are not closed, whether they hold a device or not.
  private(set) var open: [ConnectionID: DeviceSession] = [:]
  private var byDevice: [UInt32: DeviceSession] = [:]

  init() {}

  /// The connections of a state that follows another: they stay open, and none holds a device.
  init(after older: DeviceSessions) { open = older.open }

  /// The connections that are not closed, in the order they came.
  var all: [DeviceSession] { open.values.sorted { $0.id < $1.id } }

  /// The number of those that hold a device.
  var count: Int { byDevice.count }

  /// The devices that are held online, in order of their places.
  var devices: [UInt32] { byDevice.keys.sorted() }

  /// The connection that holds a device.
  func session(of device: UInt32) -> DeviceSession? { byDevice[device] }

  /// The connection of that number, if it holds a device.
  func session(_ id: ConnectionID) -> DeviceSession? { open[id].flatMap { $0.device == nil ? nil : $0 } }

  mutating func add(_ session: DeviceSession) { open[session.id] = session }

  /// Forgets a connection that is closed and holds no device.
  mutating func forget(_ session: DeviceSession) { open[session.id] = nil }

  /// Gives a device, which no other connection holds, to a connection that holds none.
  mutating func hold(_ device: UInt32, by session: DeviceSession) {
    session.device = device
    byDevice[device] = session
  }

  /// Takes the device away from its connection, and returns it; nil where it holds none.
  mutating func release(_ session: DeviceSession) -> UInt32? {
    guard let device = session.device else { return nil }
    session.device = nil
    byDevice[device] = nil
    return device
  }
}

extension DeviceSessions: KeptByMembers {
  static let members = Members(checked: Self.init, \.all)

  private init(_ state: StateReader, _ all: [DeviceSession]) throws(StateError) {
    for session in all {
      guard open.updateValue(session, forKey: session.id) == nil else {
        throw state.error("each connection was expected once, and \(session.id) found twice")
      }
      guard let device = session.device else { continue }
      guard byDevice.updateValue(session, forKey: device) == nil else {
        throw state.error("one connection of device \(device) was expected")
      }
    }
  }

  /// - Parameters:
  ///   - devices: there are places of devices below it.
  ///   - bundles: the parts of the scenario's apps.
  ///   - badgeAbsent: what the settings say.
  init(
    reading state: inout StateReader,
    devices: UInt32,
    bundles: [AppKey: AppBundle],
    badgeAbsent: BadgeAbsence
  ) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(byDevice.keys, below: devices)
    for session in open.values {
      session.show { app, languages in
        PresentationContext(
          bundle: bundles[app] ?? AppBundle(),
          languages: languages,
          badgeAbsent: badgeAbsent
        )
      }
    }
  }
}
