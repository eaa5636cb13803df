internal import APNSimWire

/// One condition that a notification's record answers in a few instructions.
enum RecordTest: BitwiseCopyable {
  /// A bit for each outcome, by its raw value.
  case outcome(passing: UInt16)
  /// A bit for each status code.
  case status(passing: SIMD4<UInt64>)
  case connection(ConnectionID)
  /// Topic or environment; the verdicts are in the memory at this index.
  case app(index: Int)
  /// A name; whose it is stands in the memory at this index.
  case device(index: Int)

  /// Nil where the record alone does not answer a condition; the memory keeps what it needs for it.
  init?(_ condition: Query.Condition, _ memory: inout QueryMemory) {
    let matcher = condition.matcher
    switch condition.path {
    case "outcome":
      let passing = Outcome.allCases.filter { matcher.matches(.string($0.description)) }
      self = .outcome(passing: passing.reduce(0) { $0 | 1 << UInt16($1.rawValue) })
    case "status":
      var bits = SIMD4<UInt64>()
      for status in 0...255 where matcher.matches(.number("\(status)")) {
        bits[status / 64] |= 1 << (status % 64)
      }
      self = .status(passing: bits)
    case "topic", "environment": self = .app(index: memory.add(condition))
    case "connection":
      guard case .equals(.string(let text)) = matcher, let id = ConnectionID(text), id.description == text
      else { return nil }
      self = .connection(id)
    case "device":
      // A device without a name is called by its token.
      guard case .equals(.string(let name)) = matcher, Hex.decode(name) == nil else { return nil }
      self = .device(index: memory.add(name: name))
    default: return nil
    }
  }

  @inline(__always)
  func passes(_ record: NotificationRecord, _ memory: QueryMemory, in world: borrowing World) -> Bool {
    switch self {
    case .outcome(let passing): passing & 1 << UInt16(record.outcome.rawValue) != 0
    case .status(let passing): passing[Int(record.status / 64)] & 1 << UInt64(record.status % 64) != 0
    case .connection(let id): record.connection == id
    case .app(let index): memory.isPassing(record.app, index)
    case .device(let index):
      record.registration != Registration.none
        && memory.hasName(world.devices.registrations[record.registration].device, index)
    }
  }
}
