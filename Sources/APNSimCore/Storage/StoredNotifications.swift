/// The last notification of each app on each offline device: frames of all sizes in places of 32-byte steps.
///
/// A place is 32 bytes of facts and the frame as it was sent. It is addressed by a handle of 32 bits (8 for the size
/// class, 24 for the place), 0 being no handle.
struct StoredNotifications: ~Copyable {
  struct Facts: BitwiseCopyable {
    /// The notification's number in the history.
    var number: UInt64
    /// When it is given up: its expiry or the end of the storage period, whichever comes first.
    var deadline: Timestamp
    /// When it was stored.
    var since: Timestamp
    /// Length of the frame that follows.
    var byteCount: UInt32
    /// Whether a device can read the payload (lenient payloads may be anything).
    var isReadable: Bool
    /// Whether the frame arrived with an expiry that ends the wait, rather than the storage period.
    var endsByExpiry: Bool
  }

  private struct SizeClass {
    var blocks: [UnsafeMutableRawPointer] = []
    var used: UInt32 = 0
    var free: [UInt32] = []
  }

  private var classes: [SizeClass] = []
  private(set) var count = 0

  private static var step: Int { 32 }
  private static var placesPerBlock: UInt32 { 256 }
  private static var mostPlaces: UInt32 { 1 << 24 - 1 }
  /// The longest frame that fits: 255 size classes.
  static var longestFrame: Int { 255 * step - MemoryLayout<Facts>.size }

  init() {}

  deinit {
    for sizeClass in classes {
      for block in sizeClass.blocks { block.deallocate() }
    }
  }

  /// Keeps a frame; nil when it is too long or its class is full.
  mutating func insert(_ facts: Facts, frame: UnsafeRawBufferPointer) -> UInt32? {
    let index = Self.sizeClass(of: frame.count)
    guard frame.count <= Self.longestFrame, frame.count == Int(facts.byteCount) else { return nil }
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
    address.storeBytes(of: facts, as: Facts.self)
    if let base = frame.baseAddress {
      (address + MemoryLayout<Facts>.size).copyMemory(from: base, byteCount: frame.count)
    }
    return handle
  }

  mutating func remove(_ handle: UInt32) {
    guard handle != 0 else { return }
    count -= 1
    classes[Int(handle >> 24) - 1].free.append(handle & 0xFF_FFFF)
  }

  func facts(_ handle: UInt32) -> Facts { pointer(handle).load(as: Facts.self) }

  /// The frame of a handle, readable until it is removed.
  func frame(_ handle: UInt32) -> UnsafeRawBufferPointer {
    let address = pointer(handle)
    let byteCount = Int(address.load(as: Facts.self).byteCount)
    return UnsafeRawBufferPointer(start: address + MemoryLayout<Facts>.size, count: byteCount)
  }

  private static func sizeClass(of frameCount: Int) -> Int {
    (frameCount + MemoryLayout<Facts>.size - 1) / step
  }

  private static func placeSize(_ index: Int) -> Int { (index + 1) * step }

  @inline(__always)
  private func pointer(_ handle: UInt32) -> UnsafeMutableRawPointer {
    let index = Int(handle >> 24) - 1
    let place = handle & 0xFF_FFFF
    return classes[index].blocks[Int(place / Self.placesPerBlock)]
      + Int(place % Self.placesPerBlock) * Self.placeSize(index)
  }
}
