import APNSimWire

/// Holding notifications of the history against a query.
extension CompiledQuery {
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

  /// True for a notification that passes, as its record is now.
  func matches(_ record: NotificationRecord, in world: borrowing World) -> Bool {
    update(world)
    return matches(record, memory, in: world)
  }

  /// Goes through the notifications of the history that pass, of those with these numbers.
  func forEachMatch(_ numbers: Range<UInt64>, in world: borrowing World, _ body: (UInt64) -> Void) {
    update(world)
    let memory = memory
    for number in numbers where matches(world.history.notifications[number], memory, in: world) {
      body(number)
    }
  }

  /// The first notification of the history that passes, of those with these numbers.
  func firstMatch(_ numbers: Range<UInt64>, in world: borrowing World) -> UInt64? {
    update(world)
    let memory = memory
    return numbers.first { matches(world.history.notifications[$0], memory, in: world) }
  }

  /// The last notification of the history that passes, of those with these numbers.
  func lastMatch(_ numbers: Range<UInt64>, in world: borrowing World) -> UInt64? {
    update(world)
    let memory = memory
    return numbers.last { matches(world.history.notifications[$0], memory, in: world) }
  }

  /// Finds out anew what may have changed.
  @inline(__always)
  private func update(_ world: borrowing World) {
    let now = QueryMemory.Epoch(
      beginning: world.history.clearedBefore,
      namings: world.devices.namings,
      apps: world.apps.count
    )
    memory.update(now, world.devices) { world.apps[$0].key }
  }

  @inline(__always)
  private func matches(_ record: NotificationRecord, _ memory: QueryMemory, in world: borrowing World) -> Bool
  {
    for test in recordTests where !test.passes(record, memory, among: world.devices) { return false }
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
        guard isPassing(record, evidence, test) else { return false }
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

  /// The token's digits are held against the test, or the text in their place, both in lower case.
  private func isPassing(
    _ record: NotificationRecord,
    _ evidence: UnsafeRawBufferPointer,
    _ test: ValueTest
  ) -> Bool {
    let token = record.fields.token(in: evidence)
    if token.isEmpty, record.interface == .http2, let text = RequestEvidence(evidence)?.textualToken {
      return test.matches(.string(text.lowercased()))
    }
    return HexDigits.of(token, test.matches(plain:))
  }

  private func isPassing(_ registration: UInt32, _ test: ValueTest, in world: borrowing World) -> Bool {
    guard registration != Registration.none else { return test.passesNothing }
    let device = world.devices.registrations[registration].device
    if let name = world.devices.givenName(of: device) { return test.matches(.string(name)) }
    return world.devices.token(of: registration).withUnsafeBytes { HexDigits.of($0, test.matches(plain:)) }
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
    case "token":
      let text = record.interface == .http2 ? RequestEvidence(evidence)?.textualToken : nil
      return .string(text?.lowercased() ?? Hex.encode(fields.token(in: evidence)))
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
