import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Stored notifications that are kept` {
  private static func facts(_ number: Int) -> StoredNotifications.Facts {
    StoredNotifications.Facts(
      number: UInt64(number),
      deadline: Moment.start + .seconds(Int64(number)),
      since: Moment.start,
      identifier: number % 2 == 0 ? nil : NotificationIdentifier(rawValue: UInt32(number)),
      badge: number % 3 == 0 ? Int32(number) : nil,
      isReadable: number % 5 != 0,
      endsByExpiry: number % 7 == 0
    )
  }

  private static func insert(_ number: Int, in store: inout StoredNotifications) -> UInt32? {
    let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 5 * 150)
    return payload.withUnsafeBytes { store.insert(facts(number), payload: $0) }
  }

  /// A store, and the handles of what is in it.
  private struct Filled: ~Copyable {
    var store = StoredNotifications()
    var handles: [UInt32] = []

    /// Notifications in places of many sizes, some of which are free again.
    init(_ count: Int) throws {
      for number in 0..<count {
        let handle = `Stored notifications that are kept`.insert(number, in: &store)
        handles.append(try #require(handle))
      }
      for place in stride(from: 1, to: count, by: 4) { store.remove(handles[place]) }
      handles = handles.indices.filter { $0 % 4 != 1 }.map { handles[$0] }
    }
  }

  private static func read<Part: ~Copyable>(
    _ bytes: [UInt8],
    _ body: (inout StateReader) throws(StateError) -> Part
  ) throws -> Part {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { room.deallocate() }
    room.copyBytes(from: bytes)
    var state = StateReader(UnsafeRawBufferPointer(room))
    let part = try body(&state)
    guard state.isAtEnd else { throw state.error("the end was expected") }
    return part
  }

  /// Reads a store for no device.
  private static func store(_ bytes: [UInt8]) throws -> StoredNotifications {
    let devices = DeviceRegistry()
    return try read(bytes) { state throws(StateError) in
      try StoredNotifications(reading: &state, for: devices)
    }
  }

  @Test func `stored notifications are found by their handles`() throws {
    let filled = try Filled(3000)
    let written = StateBytes.of { filled.store.write(to: &$0) }
    let copy = try Self.store(written)
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    #expect(copy.count == filled.handles.count)
    var lost: [UInt32] = []
    for handle in filled.handles {
      if filled.store.facts(handle) != copy.facts(handle) { lost.append(handle) }
      if Array(filled.store.payload(handle)) != Array(copy.payload(handle)) { lost.append(handle) }
    }
    #expect(lost == [])
  }

  @Test func `stored notifications go on in the same places`() throws {
    var filled = try Filled(3000)
    var copy = try Self.store(StateBytes.of { filled.store.write(to: &$0) })
    for number in 0..<1000 {
      let (one, other) = (Self.insert(number, in: &filled.store), Self.insert(number, in: &copy))
      #expect(one == other)
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == StateBytes.of { filled.store.write(to: &$0) })
  }

  @Test func `stored notifications are not read from less than was written`() throws {
    let filled = try Filled(5)
    let written = StateBytes.of { filled.store.write(to: &$0) }
    for count in written.indices {
      #expect(throws: StateError.self) { _ = try Self.store(Array(written.prefix(count))) }
    }
  }

  @Test func `stored notifications are read or refused, whatever their bytes are`() throws {
    let filled = try Filled(5)
    let written = StateBytes.of { filled.store.write(to: &$0) }
    for offset in written.indices {
      var damaged = written
      damaged[offset] ^= 0x81
      do {
        let copy = try Self.store(damaged)
        for handle in filled.handles {
          _ = (copy.facts(handle), copy.payload(handle).last)
        }
      } catch is StateError {}
    }
  }

  @Test func `stored notifications are not read for devices that have others`() throws {
    var devices = DeviceRegistry()
    let place = devices.addDevice(name: nil, isOnline: false)
    let device = try #require(place)
    let made = [UInt8](repeating: 1, count: 32).withUnsafeBytes {
      devices.register(device: device, app: 0, token: $0, flags: .installed, at: Moment.start)
    }
    let index = try #require(made)
    let filled = try Filled(5)
    let written = StateBytes.of { filled.store.write(to: &$0) }
    for (handle, isRead) in [(filled.handles[0], true), (0xFF00_0000, false), (filled.handles[0] + 1, false)]
    {
      devices.setStored(index, handle)
      do {
        _ = try Self.read(written) { state throws(StateError) in
          try StoredNotifications(reading: &state, for: devices)
        }
        #expect(isRead)
      } catch is StateError {
        #expect(!isRead)
      }
    }
  }

  @Test func `stored notifications come in the same order by their collapse identifiers`() throws {
    let filled = try Filled(40)
    var collapsed = CollapsedNotifications()
    for (number, handle) in filled.handles.enumerated() {
      collapsed.add(.init(identifier: [UInt8(number)], handle: handle), to: UInt32(number % 3 * 5))
    }
    let written = StateBytes.of { collapsed.write(to: &$0) }
    var copy = try Self.read(written) { state throws(StateError) in
      try CollapsedNotifications(reading: &state, registrations: 11, store: filled.store)
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    #expect(copy.make(roomFor: [3], of: 0) == collapsed.make(roomFor: [3], of: 0))
    for registration in [0, 1, 5, 10] as [UInt32] {
      #expect(copy.takeAll(of: registration) == collapsed.takeAll(of: registration))
    }
    #expect(throws: StateError.self) {
      _ = try Self.read(written) { state throws(StateError) in
        try CollapsedNotifications(reading: &state, registrations: 10, store: filled.store)
      }
    }
    for count in written.indices {
      #expect(throws: StateError.self) {
        _ = try Self.read(Array(written.prefix(count))) { state throws(StateError) in
          try CollapsedNotifications(reading: &state, registrations: 11, store: filled.store)
        }
      }
    }
  }

  @Test func `notifications under way arrive from the same places`() throws {
    let filled = try Filled(1500)
    var underway = UnderwayNotifications()
    func entry(_ number: Int) -> UnderwayNotifications.Entry {
      UnderwayNotifications.Entry(
        device: MagicDevice(registration: UInt32(number), serial: UInt32(number + 1)),
        app: UInt16(number % 2),
        token: DeviceToken(hash: UInt64(number)),
        expiry: number % 2 == 0 ? .absent : .at(Moment.start),
        handle: filled.handles[number]
      )
    }
    for number in 0..<1100 { _ = underway.insert(entry(number)) }
    for place in stride(from: 0, to: UInt32(1100), by: 3) { _ = underway.take(place) }
    let written = StateBytes.of { underway.write(to: &$0) }
    var copy = try Self.read(written) { state throws(StateError) in
      try UnderwayNotifications(reading: &state, apps: 2, store: filled.store)
    }
    #expect(StateBytes.of { copy.write(to: &$0) } == written)
    #expect(copy.count == underway.count)
    for number in 0..<400 {
      let (one, other) = (underway.insert(entry(number)), copy.insert(entry(number)))
      #expect(one == other)
    }
    let (one, other) = (underway.take(7), copy.take(7))
    #expect(one.device == other.device && one.handle == other.handle && one.expiry == other.expiry)
    #expect(throws: StateError.self) {
      _ = try Self.read(written) { state throws(StateError) in
        try UnderwayNotifications(reading: &state, apps: 1, store: filled.store)
      }
    }
  }
}
