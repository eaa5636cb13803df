import APNSimWire
import CProcessor

/// The last notification of each app on each offline device: payloads of all sizes in places of 8-byte steps, from
/// 512 bytes on of 40.
///
/// A place is 30 bytes of facts and the payload as it was sent; the notification's other bytes are the history's. It
/// is addressed by a handle of 32 bits (8 for the size class, 24 for the place), 0 being no handle.
struct StoredNotifications: ~Copyable {
  struct Facts: Equatable {
    /// The notification's number in the history.
    var number: UInt64
    /// When it is given up: its expiry or the end of the storage period, whichever comes first.
    var deadline: Timestamp
    /// When it was stored.
    var since: Timestamp
    var identifier: NotificationIdentifier?
    /// The badge that the payload sets, if it does; not negative.
    var badge: Int32?
    /// A device can read the payload (lenient payloads may be anything).
    var isReadable: Bool
    /// The wait ends by the expiry that the notification came with, rather than the storage period.
    var endsByExpiry: Bool
  }

  /// The facts as they are kept: in so many places every byte counts.
  private struct KeptFacts: BitwiseCopyable {
    /// From the highest bit: 48 of the number, 13 of the payload's length, three answers.
    private let packed: UInt64
    private let since: Timestamp
    private let identifier: UInt32
    /// -1 where there is none.
    private let badge: Int32
    /// The wait in milliseconds, in 48 bits: a place of the benchmark's notification is 144 bytes with it, and would
    /// be 152 with a deadline of 64.
    private let wait: UInt32
    private let highWait: UInt16

    init(_ facts: Facts, byteCount: Int) {
      packed =
        facts.number << 16 | UInt64(byteCount) << 3 | (facts.isReadable ? 4 : 0)
        | (facts.endsByExpiry ? 2 : 0)
        | (facts.identifier == nil ? 0 : 1)
      since = facts.since
      identifier = facts.identifier?.rawValue ?? 0
      badge = facts.badge ?? -1
      let span = min(max(facts.deadline - facts.since, .zero), StoredNotifications.longestWait).milliseconds
      wait = UInt32(truncatingIfNeeded: span)
      highWait = UInt16(truncatingIfNeeded: span >> 32)
    }

    var byteCount: Int { Int(packed >> 3 & 0x1FFF) }
    var number: UInt64 { packed >> 16 }
    var deadline: Timestamp { since + .milliseconds(Int64(highWait) << 32 | Int64(wait)) }

    var facts: Facts {
      Facts(
        number: number,
        deadline: deadline,
        since: since,
        identifier: packed & 1 == 0 ? nil : NotificationIdentifier(rawValue: identifier),
        badge: badge < 0 ? nil : badge,
        isReadable: packed & 4 != 0,
        endsByExpiry: packed & 2 != 0
      )
    }
  }

  /// The longest wait that is kept as it is: some 8,900 years.
  static let longestWait = TimeSpan.milliseconds(1 << 48 - 1)

  private struct SizeClass {
    var blocks: [UnsafeMutableRawPointer] = []
    var used: UInt32 = 0
    var free: [UInt32] = []
  }

  private var classes: [SizeClass] = []
  private(set) var count = 0
  /// The notifications that wait beside the last one of an app, where the settings keep them.
  var collapsed = CollapsedNotifications()

  private static var placesPerBlock: UInt32 { 256 }
  private static var mostPlaces: UInt32 { 1 << 24 - 1 }
  private static var mostClasses: Int { 255 }
  /// The longest payload that fits: 255 size classes.
  static var longestPayload: Int { placeSize(254) - MemoryLayout<KeptFacts>.size }

  init() {}

  deinit {
    for sizeClass in classes {
      for block in sizeClass.blocks { block.deallocate() }
    }
  }

  /// Keeps a payload; nil when it is too long or its class is full.
  mutating func insert(_ facts: Facts, payload: UnsafeRawBufferPointer) -> UInt32? {
    let index = Self.sizeClass(of: payload.count)
    guard payload.count <= Self.longestPayload else { return nil }
    while classes.count <= index { classes.append(SizeClass()) }
    let place: UInt32
    if let free = classes[index].free.popLast() {
      place = free
    } else {
      place = classes[index].used
      guard place < Self.mostPlaces else { return nil }
      if place % Self.placesPerBlock == 0 {
        let bytes = Int(Self.placesPerBlock) * Self.placeSize(index)
        classes[index].blocks.append(.allocate(byteCount: bytes, alignment: 16))
      }
      classes[index].used += 1
    }
    count += 1
    let handle = UInt32(index + 1) << 24 | place
    let address = pointer(handle)
    address.storeBytes(of: KeptFacts(facts, byteCount: payload.count), as: KeptFacts.self)
    if let base = payload.baseAddress {
      (address + MemoryLayout<KeptFacts>.size).copyMemory(from: base, byteCount: payload.count)
    }
    return handle
  }

  mutating func remove(_ handle: UInt32) {
    guard handle != 0 else { return }
    count -= 1
    classes[Int(handle >> 24) - 1].free.append(handle & 0xFF_FFFF)
  }

  func facts(_ handle: UInt32) -> Facts { pointer(handle).load(as: KeptFacts.self).facts }
  func number(_ handle: UInt32) -> UInt64 { pointer(handle).load(as: KeptFacts.self).number }
  func deadline(_ handle: UInt32) -> Timestamp { pointer(handle).load(as: KeptFacts.self).deadline }

  /// Asks for the memory of a place that will be looked at soon, and as much of its payload as most have.
  @inline(__always)
  func prefetch(_ handle: UInt32) {
    let address = pointer(handle)
    for line in 0..<3 { apnsim_prefetch(address + 64 * line) }
  }

  /// The payload of a handle, readable until it is removed.
  func payload(_ handle: UInt32) -> UnsafeRawBufferPointer {
    let address = pointer(handle)
    let byteCount = address.load(as: KeptFacts.self).byteCount
    return UnsafeRawBufferPointer(start: address + MemoryLayout<KeptFacts>.size, count: byteCount)
  }

  /// The bytes of a place for a payload of so many, with the facts of its notification.
  static func placeByteCount(forPayload byteCount: Int) -> Int { placeSize(sizeClass(of: byteCount)) }

  private static func sizeClass(of byteCount: Int) -> Int {
    let size = byteCount + MemoryLayout<KeptFacts>.size
    return size <= 512 ? (size + 7) / 8 - 1 : 63 + (size - 512 + 39) / 40
  }

  private static func placeSize(_ index: Int) -> Int {
    index < 64 ? (index + 1) * 8 : 512 + (index - 63) * 40
  }

  @inline(__always)
  private func pointer(_ handle: UInt32) -> UnsafeMutableRawPointer {
    let index = Int(handle >> 24) - 1
    let place = handle & 0xFF_FFFF
    return classes[index].blocks[Int(place / Self.placesPerBlock)]
      + Int(place % Self.placesPerBlock) * Self.placeSize(index)
  }
}

/// Of places that are free, only their order is written.
extension StoredNotifications {
  func write(to state: inout StateWriter) {
    state.write(count: classes.count)
    for index in classes.indices {
      let (used, free) = (classes[index].used, classes[index].free)
      state.write(raw: used)
      state.write(KeptRows(free))
      state.reserve((Int(used) - free.count) * Self.placeSize(index))
      var isFree = [Bool](repeating: false, count: Int(used))
      for place in free { isFree[Int(place)] = true }
      for place in 0..<used where !isFree[Int(place)] {
        let address = pointer(UInt32(index + 1) << 24 | place)
        let byteCount = address.load(as: KeptFacts.self).byteCount
        state.append(UnsafeRawBufferPointer(start: address, count: MemoryLayout<KeptFacts>.size + byteCount))
      }
    }
  }

  /// - Parameter devices: the devices whose apps it is stored for.
  init(reading state: inout StateReader, for devices: borrowing DeviceRegistry) throws(StateError) {
    self.init()
    let classCount = try state.count()
    guard classCount <= Self.mostClasses else {
      throw state.error("at most \(Self.mostClasses) sizes were expected, and \(classCount) found")
    }
    for index in 0..<classCount {
      classes.append(SizeClass())
      try readClass(index, &state)
    }
    for registration in 0..<devices.registrations.count {
      try check(devices.registrations[registration].stored, state)
    }
  }

  private mutating func readClass(_ index: Int, _ state: inout StateReader) throws(StateError) {
    let used = try state.raw(UInt32.self)
    let free = [UInt32](try state.rows(UInt32.self))
    let left = state.rest.count
    guard used <= Self.mostPlaces, free.count <= Int(used),
      (Int(used) - free.count) * MemoryLayout<KeptFacts>.size <= left
    else { throw state.error("there cannot be \(used) places, \(free.count) of them free, in \(left) bytes") }
    var isFree = [Bool](repeating: false, count: Int(used))
    for place in free {
      guard place < used, !isFree[Int(place)] else {
        throw state.error("\(place) of \(used) places was expected to be free, and once")
      }
      isFree[Int(place)] = true
    }
    let size = Self.placeSize(index)
    for _ in stride(from: 0, to: used, by: Int(Self.placesPerBlock)) {
      classes[index].blocks.append(
        .allocate(byteCount: Int(Self.placesPerBlock) * size, alignment: 16)
      )
    }
    classes[index].used = used
    classes[index].free = free
    for place in 0..<used {
      let address = pointer(UInt32(index + 1) << 24 | place)
      guard !isFree[Int(place)] else {
        address.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        continue
      }
      let facts = try state.raw(KeptFacts.self)
      guard Self.sizeClass(of: facts.byteCount) == index else {
        throw state.error("\(facts.byteCount) bytes of payload are not for a place of \(size)")
      }
      let payload = try state.take(facts.byteCount)
      address.storeBytes(of: facts, as: KeptFacts.self)
      if let start = payload.baseAddress {
        (address + MemoryLayout<KeptFacts>.size).copyMemory(from: start, byteCount: payload.count)
      }
    }
    count += Int(used) - free.count
  }

  /// Checks that a handle is none, or that of a place.
  func check(_ handle: UInt32, _ state: StateReader) throws(StateError) {
    guard handle != 0 else { return }
    let index = Int(handle >> 24) - 1
    guard classes.indices.contains(index), handle & 0xFF_FFFF < classes[index].used else {
      throw state.error("there is no stored notification \(handle)")
    }
  }
}
