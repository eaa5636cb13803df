import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Devices that are kept` {
  private static func token(_ number: Int, _ count: Int = 32) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }
  }

  private static func register(
    _ number: Int,
    _ count: Int = 32,
    app: UInt16 = 0,
    on device: UInt32,
    in registry: inout DeviceRegistry
  ) throws -> UInt32 {
    let place = token(number, count).withUnsafeBytes {
      registry.register(device: device, app: app, token: $0, flags: .installed, at: Moment.start)
    }
    return try #require(place)
  }

  /// Devices on first sight and such with names, of one app or two, some of which were removed or forgotten again.
  private static func registry(_ count: Int) throws -> DeviceRegistry {
    var registry = DeviceRegistry()
    for number in 0..<count {
      let name = number % 3 == 0 ? "device \(number)" : nil
      let place = registry.addDevice(name: name, isOnline: number % 2 == 0)
      let device = try #require(place)
      let index = try register(number, number % 5 == 0 ? 8 + number % 3 : 32, on: device, in: &registry)
      if number % 4 == 0 { _ = try register(number, app: 1, on: device, in: &registry) }
      if number % 7 == 0 { registry.setLanguages(["fr", "en"], of: device) }
      if number % 6 == 0 { registry.list(index, at: UInt64(number)) }
      if number % 6 == 1 { registry.disown(index, at: Moment.start + .seconds(1)) }
      if number % 6 == 2 { registry.expire(index, at: Moment.start + .seconds(9)) }
      if number % 6 == 3 { _ = registry.beginMagic(of: index) }
      if name == nil, number % 10 == 1 { registry.give("late \(number)", to: device, from: UInt64(number)) }
    }
    for number in stride(from: 0, to: count, by: 9) {
      let device = UInt32(number)
      for index in registry.registrations(of: device) { registry.unregister(index, end: UInt64(number)) }
      registry.removeDevice(device, end: UInt64(number))
    }
    registry.forgetRemoved(from: UInt64(count / 2), most: 1000)
    return registry
  }

  private static func bytes(_ registry: borrowing DeviceRegistry) -> [UInt8] {
    var state = StateWriter()
    registry.write(to: &state)
    return state.array
  }

  /// Reads a registry, to the last byte.
  private static func read(_ bytes: [UInt8], apps: Int = 2) throws -> DeviceRegistry {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { room.deallocate() }
    room.copyBytes(from: bytes)
    var state = StateReader(UnsafeRawBufferPointer(room))
    let registry = try DeviceRegistry(reading: &state, apps: apps)
    guard state.isAtEnd else { throw state.error("the end was expected") }
    return registry
  }

  @Test func `devices that are kept are found by their tokens and names as before`() throws {
    let count = 1500
    let registry = try Self.registry(count)
    let copy = try Self.read(Self.bytes(registry))
    #expect(Self.bytes(copy) == Self.bytes(registry))
    #expect(copy.liveDevices == registry.liveDevices)
    #expect(copy.tokenSizes == registry.tokenSizes)
    #expect(copy.namings == registry.namings)
    #expect(copy.namedDevices.map(\.name) == registry.namedDevices.map(\.name))
    #expect(copy.unnamedDevices(most: 50).devices == registry.unnamedDevices(most: 50).devices)
    var lost: [Int] = []
    for number in 0..<count {
      for (app, size) in [(0, 32), (1, 32), (0, 8), (0, 9), (0, 10)] as [(UInt16, Int)] {
        let token = Self.token(number, size)
        if copy.find(app: app, token: token) != registry.find(app: app, token: token) { lost.append(number) }
      }
      let name = "device \(number)"
      if copy.device(named: name) != registry.device(named: name) { lost.append(number) }
      if copy.devices(everNamed: name) != registry.devices(everNamed: name) { lost.append(number) }
    }
    #expect(lost == [])
  }

  @Test func `devices that are kept know of their apps what they knew`() throws {
    let registry = try Self.registry(300)
    let copy = try Self.read(Self.bytes(registry))
    for device in 0..<registry.devices.count {
      #expect(copy.registrations(of: device) == registry.registrations(of: device))
      #expect(copy.languages(of: device) == registry.languages(of: device))
      #expect(copy.givenName(of: device, at: 5) == registry.givenName(of: device, at: 5))
    }
    for index in 0..<registry.registrations.count {
      #expect(copy.token(of: index) == registry.token(of: index))
      #expect(copy.magicDevice(of: index) == registry.magicDevice(of: index))
      #expect(copy.feedbackPosition(of: index) == registry.feedbackPosition(of: index))
      #expect(copy.disowned(index) == registry.disowned(index))
      #expect(copy.expiration(of: index) == registry.expiration(of: index))
    }
  }

  @Test func `devices that are kept go on with the same places`() throws {
    var registry = try Self.registry(300)
    var copy = try Self.read(Self.bytes(registry))
    for round in 0..<3 {
      for number in 0..<100 {
        let new = 10_000 + round * 100 + number
        let place = registry.addDevice(name: "new \(new)", isOnline: true)
        let device = try #require(place)
        let twin = copy.addDevice(name: "new \(new)", isOnline: true)
        #expect(device == twin)
        let size = number % 2 == 0 ? 32 : 11
        let first = try Self.register(new, size, on: device, in: &registry)
        let second = try Self.register(new, size, on: device, in: &copy)
        #expect(first == second)
        let (magic, other) = (registry.beginMagic(of: first), copy.beginMagic(of: first))
        #expect(magic == other)
      }
      let device = UInt32(10 + round)
      for index in registry.registrations(of: device) {
        registry.unregister(index, end: 1)
        copy.unregister(index, end: 1)
      }
      registry.removeDevice(device, end: 1)
      copy.removeDevice(device, end: 1)
      registry.forgetRemoved(from: .max, most: 0)
      copy.forgetRemoved(from: .max, most: 0)
      #expect(Self.bytes(copy) == Self.bytes(registry))
      #expect(copy.tokenSizes == registry.tokenSizes)
    }
  }

  @Test func `devices that are kept are not read from less than was written`() throws {
    let bytes = try Self.bytes(Self.registry(12))
    for count in bytes.indices {
      #expect(throws: StateError.self) { _ = try Self.read(Array(bytes.prefix(count))) }
    }
  }

  @Test func `devices that are kept are not read for fewer apps than theirs`() throws {
    let bytes = try Self.bytes(Self.registry(12))
    #expect(throws: StateError.self) { _ = try Self.read(bytes, apps: 1) }
  }

  @Test func `devices that are kept are read or refused, whatever their bytes are`() throws {
    let bytes = try Self.bytes(Self.registry(12))
    for offset in bytes.indices where offset % 8 < 6 {
      var damaged = bytes
      damaged[offset] ^= 0x11
      do {
        var registry = try Self.read(damaged)
        for device in 0..<registry.devices.count {
          for index in registry.registrations(of: device) {
            _ = registry.ownerName(of: index)
            registry.unregister(index, end: 0)
          }
        }
        registry.forgetRemoved(from: .max, most: 0)
      } catch is StateError {}
    }
  }
}
