import APNSimWire

/// One condition that a notification's record answers in a few instructions.
enum RecordTest: BitwiseCopyable {
  /// A bit for each outcome, by its raw value.
  case outcome(passing: UInt16)
  /// A bit for each status code of the binary interface, and for each reason of a request, 0 for none, where its status passes.
  /// The test of a status that no reason has is in the memory at this index.
  case status(passing: SIMD4<UInt64>, reasons: SIMD4<UInt64>, index: Int)
  /// The same for each command, and whether there being none passes.
  case command(passing: SIMD4<UInt64>, nothing: Bool)
  case interface(binary: Bool, http2: Bool)
  case identifier(UInt32)
  case connection(ConnectionID)
  /// Topic or environment; the verdicts are in the memory at this index.
  case app(index: Int)
  /// The time it came in: from one moment up to another, which does not count.
  case time(from: Timestamp, to: Timestamp)
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
      self = .status(
        passing: Self.bytes(passing: matcher),
        reasons: Self.reasons(passing: matcher),
        index: memory.add(statuses: matcher)
      )
    case "command":
      self = .command(passing: Self.bytes(passing: matcher), nothing: matcher.matches(nil))
    case "interface":
      self = .interface(
        binary: matcher.matches(.string("binary")),
        http2: matcher.matches(.string("http2"))
      )
    case "identifier":
      guard case .equals(.string(let text)) = matcher, let identifier = NotificationIdentifier(hex: text),
        identifier.hex == text
      else { return nil }
      self = .identifier(identifier.rawValue)
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

  /// A bit for each byte, set where its number passes.
  private static func bytes(passing matcher: Matcher) -> SIMD4<UInt64> {
    var bits = SIMD4<UInt64>()
    for byte in 0...255 where matcher.matches(.number("\(byte)")) { bits[byte / 64] |= 1 << (byte % 64) }
    return bits
  }

  /// The same for each reason that requests are refused for, by the status that it comes with.
  private static func reasons(passing matcher: Matcher) -> SIMD4<UInt64> {
    var bits = SIMD4<UInt64>()
    for byte in UInt8.min...UInt8.max {
      let status = RequestStatus(byte).number
      if matcher.matches(status.map { .number("\($0)") }) { bits[Int(byte / 64)] |= 1 << UInt64(byte % 64) }
    }
    return bits
  }

  @inline(__always)
  private static func has(_ byte: UInt8, _ bits: SIMD4<UInt64>) -> Bool {
    bits[Int(byte / 64)] & 1 << UInt64(byte % 64) != 0
  }

  @inline(__always)
  func passes(_ record: NotificationRecord, _ memory: QueryMemory, among devices: borrowing DeviceRegistry)
    -> Bool
  {
    switch self {
    case .outcome(let passing): passing & 1 << UInt16(record.outcome.rawValue) != 0
    case .status(let passing, let reasons, let index):
      switch record.interface {
      case .binary: Self.has(record.status, passing)
      case .http2 where record.status == RequestStatus.scripted:
        memory.isPassing(RequestStatus(record), index)
      case .http2: Self.has(record.status, reasons)
      }
    case .command(let passing, let nothing): record.interface.command.map { Self.has($0, passing) } ?? nothing
    case .interface(let binary, let http2):
      switch record.interface {
      case .binary: binary
      case .http2: http2
      }
    case .identifier(let identifier):
      record.fields.hasIdentifier && record.fields.identifier.rawValue == identifier
    case .connection(let id): record.connection == id
    case .app(let index): memory.isPassing(record.app, index)
    case .time(let start, let end): record.time >= start && record.time < end
    case .device(let index):
      record.registration != Registration.none
        && memory.hasName(devices.registrations[record.registration].device, index)
    }
  }
}
