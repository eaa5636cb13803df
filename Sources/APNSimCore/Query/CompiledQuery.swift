internal import APNSimWire

/// A query made ready for many notifications: what a record tells in a few instructions is asked first, what needs
/// the frame next, and the payload last.
///
/// It remembers what holds for long (which apps pass, which device has a name); it belongs to whoever holds the
/// simulator's lock.
package final class CompiledQuery: @unchecked Sendable {
  package let query: Query
  private let tests: [Test]
  /// What is known of each app: nil is not asked yet.
  private var apps: [[Bool?]] = []
  /// Who has each of the names that are asked for.
  private var devices: [UInt32?] = []
  /// When that was found out.
  private var epoch: Epoch?

  /// What is remembered holds for as long as these stay the same.
  private struct Epoch: Equatable {
    var beginning: UInt64
    var namings: UInt64
  }

  private enum Test {
    case outcome(passing: UInt16)
    case status(passing: [Bool])
    case connection(ConnectionID)
    /// A name; whose it is stands at this index of `devices`.
    case device(String, index: Int)
    /// Topic or environment; the verdicts stand at this index of `apps`.
    case app(Query.Condition, index: Int)
    case command(passing: [Bool])
    case identifier(UInt32)
    case token([UInt8])
    case number(UInt64)
    /// A token, or what people call a device, as text.
    case tokenText(ValueTest)
    case deviceText(ValueTest)
    case field(Query.Condition)
    case payload(PayloadTest)

    var cost: Int {
      switch self {
      case .outcome, .status, .connection: 0
      case .app, .device: 1
      case .command, .identifier, .token, .number: 2
      case .field, .tokenText, .deviceText: 3
      case .payload: 4
      }
    }
  }

  package init(_ query: Query) {
    self.query = query
    var tests: [Test] = []
    for condition in query.conditions {
      var test = Self.test(of: condition)
      switch test {
      case .app:
        test = .app(condition, index: apps.count)
        apps.append([])
      case .device(let name, _):
        test = .device(name, index: devices.count)
        devices.append(nil)
      default: break
      }
      tests.append(test)
    }
    self.tests = tests.sorted { $0.cost < $1.cost }
  }

  /// How many notifications may be held against it in one go, so that nobody waits long for the lock: regular
  /// expressions take time with each character.
  var stretch: UInt64 {
    let steps = query.conditions.reduce(0) { $0 + $1.matcher.patternCost }
    return UInt64(max(20, 2000 / (1 + steps / 10)))
  }

  /// Finds out anew what is to be remembered.
  @inline(never)
  private func learn(_ now: Epoch, _ registry: borrowing DeviceRegistry) {
    epoch = now
    apps = apps.map { _ in [] }
    for case .device(let name, let index) in tests { devices[index] = registry.device(named: name) }
  }

  private static func test(of condition: Query.Condition) -> Test {
    let matcher = condition.matcher
    switch condition.path {
    case "outcome":
      let passing = Outcome.allCases.filter { matcher.matches(.string($0.description)) }
      return .outcome(passing: passing.reduce(0) { $0 | 1 << UInt16($1.rawValue) })
    case "status": return .status(passing: (0...255).map { matcher.matches(.number("\($0)")) })
    case "command": return .command(passing: (0...255).map { matcher.matches(.number("\($0)")) })
    case "topic", "environment": return .app(condition, index: 0)
    case "connection":
      guard case .equals(.string(let text)) = matcher, let id = ConnectionID(text) else { break }
      return .connection(id)
    case "id":
      guard case .equals(.string(let text)) = matcher, let number = UInt64(text.dropFirst()),
        text == "n\(number)"
      else { break }
      return .number(number)
    case "device":
      // What a device without a name is called by has its own ways.
      guard case .equals(.string(let name)) = matcher, Hex.decode(name) == nil, !name.hasPrefix("device ")
      else {
        return .deviceText(ValueTest(matcher))
      }
      return .device(name, index: 0)
    case "identifier":
      guard case .equals(.string(let text)) = matcher, let identifier = NotificationIdentifier(hex: text),
        identifier.hex == text
      else { break }
      return .identifier(identifier.rawValue)
    case "token":
      guard case .equals(.string(let text)) = matcher, let token = Hex.decode(text), Hex.encode(token) == text
      else { return .tokenText(ValueTest(matcher)) }
      return .token(token)
    case "alert": return .payload(PayloadTest(path: nil, matcher: matcher))
    case let path where path.hasPrefix("payload."):
      return .payload(PayloadTest(path: String(path.dropFirst(8)), matcher: matcher))
    default: break
    }
    return .field(condition)
  }

  /// Whether a notification passes, as its record is now.
  func matches(_ record: NotificationRecord, in world: borrowing World) -> Bool {
    let now = Epoch(beginning: world.history.clearedBefore, namings: world.devices.namings)
    if epoch != now { learn(now, world.devices) }
    var frame: Frame??
    let bytes = world.history.frame(of: record)
    func decoded() -> Frame? {
      if let frame { return frame }
      let decoded = world.readFrame(bytes)
      frame = .some(decoded)
      return decoded
    }
    for test in tests {
      switch test {
      case .outcome(let passing):
        guard passing & 1 << UInt16(record.outcome.rawValue) != 0 else { return false }
      case .status(let passing): guard passing[Int(record.status)] else { return false }
      case .connection(let id): guard record.connection == id else { return false }
      case .device(_, let index):
        guard let device = devices[index], record.registration != Registration.none,
          world.devices.registrations[record.registration].device == device
        else { return false }
      case .app(let condition, let index):
        guard isPassing(record.app, condition, index, in: world) else { return false }
      case .command(let passing): guard passing[Int(decoded()?.command ?? 0)] else { return false }
      case .identifier(let identifier):
        guard let frame = decoded(), frame.hasIdentifier, frame.identifier.rawValue == identifier else {
          return false
        }
      case .token(let token):
        guard let frame = decoded(), bytes[frame.token].elementsEqual(token) else { return false }
      case .number(let number): guard world.number(of: record) == number else { return false }
      case .tokenText(let test):
        let token = UnsafeRawBufferPointer(rebasing: bytes[decoded()?.token ?? 0..<0])
        guard HexDigits.of(token, test.matches(plain:)) else { return false }
      case .deviceText(let test): guard isPassing(record.registration, test, in: world) else { return false }
      case .field(let condition):
        let value = world.value(at: condition.path, of: record, frame: decoded(), bytes)
        guard condition.matcher.matches(value) else { return false }
      case .payload(let test):
        if record.isKnownJSON, test.isHopeless(inFrame: bytes) { return false }
        let payload = decoded().map { UnsafeRawBufferPointer(rebasing: bytes[$0.payload]) }
        guard
          test.matches(payload ?? UnsafeRawBufferPointer(start: nil, count: 0), isJSON: record.isKnownJSON)
        else { return false }
      }
    }
    return true
  }

  private func isPassing(_ registration: UInt32, _ test: ValueTest, in world: borrowing World) -> Bool {
    guard registration != Registration.none else { return test.passesNothing }
    let device = world.devices.registrations[registration].device
    if let name = world.devices.givenName(of: device) { return test.matches(.string(name)) }
    guard let token = world.devices.firstToken(of: device) else {
      return test.matches(.string(world.devices.name(of: device)))
    }
    return token.withUnsafeBytes { HexDigits.of($0, test.matches(plain:)) }
  }

  private func isPassing(
    _ app: UInt16,
    _ condition: Query.Condition,
    _ index: Int,
    in world: borrowing World
  ) -> Bool {
    let place = Int(app)
    if place < apps[index].count, let known = apps[index][place] { return known }
    let key = world.apps[place].key
    let isPassing = condition.matcher.matches(
      .string(condition.path == "topic" ? key.topic : key.environment.rawValue)
    )
    while apps[index].count <= place { apps[index].append(nil) }
    apps[index][place] = isPassing
    return isPassing
  }
}

extension Matcher {
  fileprivate var patternCost: Int {
    switch self {
    case .matches(let pattern): pattern.cost
    case .all(let matchers): matchers.reduce(0) { $0 + $1.patternCost }
    case .not(let matcher): matcher.patternCost
    default: 0
    }
  }
}

extension NotificationRecord {
  /// Whether the gateway's judge read the payload and found JSON.
  var isKnownJSON: Bool { entry != .discarded && failed >= .topic && problem == .none }
}

extension World {
  /// The frame of a record's bytes, as the view of a notification reads it.
  func readFrame(_ bytes: UnsafeRawBufferPointer) -> Frame? {
    FrameDecoder.next(
      in: bytes,
      from: 0,
      mode: .judging(configuration.frameLimits(tokenSizes: devices.tokenSizes))
    )
  }

  /// The value at a path of the notification object, the same as `NotificationView.value(at:)` without the view.
  func value(
    at path: String,
    of record: NotificationRecord,
    frame: Frame?,
    _ bytes: UnsafeRawBufferPointer
  ) -> JSONValue? {
    switch path {
    case "connection": return .string(record.connection.description)
    case "device":
      guard record.registration != Registration.none else { return nil }
      return .string(devices.name(of: devices.registrations[record.registration].device))
    case "token": return .string(frame.map { Hex.encode(bytes[$0.token]) } ?? "")
    case "identifier": return frame.flatMap { $0.hasIdentifier ? .string($0.identifier.hex) : nil }
    case "priority": return .number("\(frame.map { $0.hasPriority ? $0.priority : 10 } ?? 10)")
    case "payloadSize": return .number("\(frame?.payloadLength ?? 0)")
    case "expiry": return frame.flatMap { expirySeconds($0) }.map { .number("\($0)") }
    default:
      guard let number = number(of: record) else { return nil }
      return view(of: number).value(at: path)
    }
  }

  /// The number of a record, which its place in the total order tells.
  fileprivate func number(of record: NotificationRecord) -> UInt64? {
    let number = history.firstNotification(from: record.seq)
    return history.notifications.contains(number) && history.notifications[number].seq == record.seq
      ? number : nil
  }
}
