import APNSimWire

/// A query made ready for many notifications: what a record tells in a few instructions is asked first, what needs a
/// text or the bytes as sent next, and the payload last.
///
/// It remembers its findings and belongs to whoever holds the simulator's lock.
package final class CompiledQuery: @unchecked Sendable {
  package let query: Query
  let recordTests: [RecordTest]
  let contentTests: [ContentTest]
  /// The most steps that the matchers take for each byte of a notification.
  let stepsPerByte: Int
  var memory: QueryMemory

  /// A condition that takes more than a look at the record.
  enum ContentTest {
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

  /// The most steps in one go, so that nobody waits long for the lock; a step is about a nanosecond.
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
