import APNSimWire

/// A query made ready for many notifications: what a record tells in a few instructions is asked first, what needs a
/// text or the bytes as sent next, and the payload last.
///
/// It remembers its findings and belongs to whoever holds the simulator's lock.
package final class CompiledQuery: @unchecked Sendable {
  package let query: Query
  private let recordTests: [RecordTest]
  private let contentTests: [ContentTest]
  /// The most steps that the matchers take for each byte of a notification.
  private let stepsPerByte: Int
  private var memory: QueryMemory

  /// A condition that takes more than a look at the record.
  private enum ContentTest {
    case token([UInt8])
    case number(UInt64)
    /// A token, or what people call a device, as text.
    case tokenText(ValueTest)
    case deviceText(ValueTest)
    case field(Query.Condition)
    case payload(PayloadTest)

    var cost: Int {
      switch self {
      case .token, .number: 0
      case .field, .tokenText, .deviceText: 1
      case .payload: 2
      }
    }
  }

  /// - Parameter times: those that came in then, the end not included; nil for whenever.
  package init(_ query: Query, within times: (from: Timestamp, to: Timestamp)? = nil) {
    self.query = query
    var memory = QueryMemory()
    var (recordTests, contentTests): ([RecordTest], [ContentTest]) = ([], [])
    if let times { recordTests.append(.time(from: times.from, to: times.to)) }
    for condition in query.conditions {
      if let test = RecordTest(condition, &memory) {
        recordTests.append(test)
      } else {
        contentTests.append(Self.test(of: condition))
      }
    }
    self.recordTests = recordTests
    self.contentTests = contentTests.sorted { $0.cost < $1.cost }
    stepsPerByte = query.conditions.reduce(0) { $0 + $1.matcher.stepsPerByte }
    self.memory = memory
  }

  /// So many steps may be taken in one go, so that nobody waits long for the lock; a step is about a nanosecond.
  static let stretch = 2_000_000

  /// The steps that a notification takes that cannot be told from its record.
  func steps(for record: NotificationRecord) -> Int { steps(forBytes: Int(record.evidenceByteCount)) }

  /// The same for a notification of so many bytes.
  func steps(forBytes count: Int) -> Int { Self.steps(perByte: stepsPerByte, count) }

  /// The steps of tests that take so many for each byte.
  static func steps(perByte stepsPerByte: Int, _ count: Int) -> Int {
    base + min(stepsPerByte, 1 << 20) * min(count, 1 << 20)
  }

  /// The steps that any notification takes.
  static let base = 1000

  /// The part of these numbers, from the first on, that may be held against it in one go: at least one.
  func stretch(_ numbers: Range<UInt64>, in world: borrowing World) -> Range<UInt64> {
    guard stepsPerByte > 0 else { return numbers.prefix(Self.stretch / Self.base) }
    var steps = 0
    for number in numbers {
      steps += self.steps(for: world.history.notifications[number])
      if steps >= Self.stretch { return numbers.lowerBound..<number + 1 }
    }
    return numbers
  }

  /// The part of these numbers, back from the last one, that may be held against it in one go: at least one.
  func stretchBackwards(_ numbers: Range<UInt64>, in world: borrowing World) -> Range<UInt64> {
    guard stepsPerByte > 0 else { return numbers.suffix(Self.stretch / Self.base) }
    var steps = 0
    for number in numbers.reversed() {
      steps += self.steps(for: world.history.notifications[number])
      if steps >= Self.stretch { return number..<numbers.upperBound }
    }
    return numbers
  }

  private static func test(of condition: Query.Condition) -> ContentTest {
    let matcher = condition.matcher
    switch condition.path {
    case "id":
      guard case .equals(.string(let text)) = matcher, let number = NotificationView.number(of: text) else {
        break
      }
      return .number(number)
    case "device": return .deviceText(ValueTest(matcher))
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

  /// True for a notification that passes, as its record is now.
  func matches(_ record: NotificationRecord, in world: borrowing World) -> Bool {
    memory.update(world)
    return matches(record, memory, in: world)
  }

  /// Goes through the notifications of the history that pass, of those with these numbers.
  func forEachMatch(_ numbers: Range<UInt64>, in world: borrowing World, _ body: (UInt64) -> Void) {
    memory.update(world)
    let memory = memory
    for number in numbers where matches(world.history.notifications[number], memory, in: world) {
      body(number)
    }
  }

  /// The first notification of the history that passes, of those with these numbers.
  func firstMatch(_ numbers: Range<UInt64>, in world: borrowing World) -> UInt64? {
    memory.update(world)
    let memory = memory
    return numbers.first { matches(world.history.notifications[$0], memory, in: world) }
  }

  /// The last notification of the history that passes, of those with these numbers.
  func lastMatch(_ numbers: Range<UInt64>, in world: borrowing World) -> UInt64? {
    memory.update(world)
    let memory = memory
    return numbers.last { matches(world.history.notifications[$0], memory, in: world) }
  }

  @inline(__always)
  private func matches(_ record: NotificationRecord, _ memory: QueryMemory, in world: borrowing World) -> Bool
  {
    for test in recordTests where !test.passes(record, memory, in: world) { return false }
    return contentTests.isEmpty || passesContentTests(record, in: world)
  }

  @inline(never)
  private func passesContentTests(_ record: NotificationRecord, in world: borrowing World) -> Bool {
    let evidence = world.history.evidence(of: record)
    for test in contentTests {
      switch test {
      case .token(let token):
        guard record.fields.token(in: evidence).elementsEqual(token) else { return false }
      case .number(let number): guard world.number(of: record) == number else { return false }
      case .tokenText(let test):
        guard HexDigits.of(record.fields.token(in: evidence), test.matches(plain:)) else { return false }
      case .deviceText(let test): guard isPassing(record.registration, test, in: world) else { return false }
      case .field(let condition):
        let value = world.value(at: condition.path, of: record, evidence)
        guard condition.matcher.matches(value) else { return false }
      case .payload(let test):
        guard test.matches(record.fields.payload(in: evidence), isJSON: record.isKnownJSON) else {
          return false
        }
      }
    }
    return true
  }

  private func isPassing(_ registration: UInt32, _ test: ValueTest, in world: borrowing World) -> Bool {
    guard registration != Registration.none else { return test.passesNothing }
    let device = world.devices.registrations[registration].device
    if let name = world.devices.givenName(of: device) { return test.matches(.string(name)) }
    return world.devices.token(of: registration).withUnsafeBytes { HexDigits.of($0, test.matches(plain:)) }
  }
}

extension Matcher {
  /// The most steps that it takes for each byte of a text.
  var stepsPerByte: Int {
    switch self {
    case .matches(let pattern): pattern.cost
    case .like(let pattern): pattern.utf8.contains(UInt8(ascii: "*")) ? pattern.utf8.count : 0
    case .contains(let text): text.utf8.count
    case .all(let matchers): matchers.reduce(0) { $0 + $1.stepsPerByte }
    case .not(let matcher): matcher.stepsPerByte
    default: 0
    }
  }
}

extension World {
  /// The value at a path of the notification object, the same as `NotificationView.value(at:)` without the view.
  func value(
    at path: String,
    of record: NotificationRecord,
    _ evidence: UnsafeRawBufferPointer
  ) -> JSONValue? {
    let fields = record.fields
    switch path {
    case "connection": return .string(record.connection.description)
    case "device":
      guard record.registration != Registration.none else { return nil }
      return .string(devices.ownerName(of: record.registration))
    case "token": return .string(Hex.encode(fields.token(in: evidence)))
    case "identifier": return fields.hasIdentifier ? .string(fields.identifier.hex) : nil
    case "priority": return .number("\(fields.hasPriority ? fields.priority : 10)")
    case "payloadSize": return .number("\(fields.payloadLength)")
    case "expiry": return fields.hasExpiry ? .number("\(fields.expiry)") : nil
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
