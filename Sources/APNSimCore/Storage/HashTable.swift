import CProcessor

/// An open-addressing index from a 64-bit hash to slab places, for whoever can compare the keys themselves.
///
/// Eight bytes a slot: the place and the hash's upper half, so that a lookup touches a record only when it is
/// almost surely the one. Linear probing; removal shifts later entries back, so there are no tombstones.
struct HashTable: ~Copyable {
  private struct Slot: BitwiseCopyable {
    var place: UInt32
    var tag: UInt32
  }

  private static var empty: UInt32 { .max }
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private(set) var count = 0

  init() { self.init(for: 0) }

  /// A table with room for so many places.
  init(for count: Int) {
    var places = 64
    while places < 1 << 32, count > places / 5 * 4 { places *= 2 }
    mask = places - 1
    slots = Self.room(places)
  }

  deinit { slots.deallocate() }

  /// The place whose key `matches`, or nil.
  @inline(__always)
  func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[index]
      if slot.place == Self.empty { return nil }
      if slot.tag == tag, matches(slot.place) { return slot.place }
      index = (index + 1) & mask
    }
  }

  /// Asks for the memory that a lookup will begin with.
  @inline(__always)
  func prefetch(_ hash: UInt64) { apnsim_prefetch(slots + (Int(truncatingIfNeeded: hash) & mask)) }

  /// The place that is almost surely the one of a hash, `UInt32.max` where there is none: the key is still to be
  /// compared.
  @inline(__always)
  func candidate(_ hash: UInt64) -> UInt32 {
    let tag = UInt32(truncatingIfNeeded: hash >> 32)
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].place != Self.empty, slots[index].tag != tag { index = (index &+ 1) & mask }
    return slots[index].place
  }

  /// Adds a place whose key is not in the table yet. `hashOf` tells any place's hash, for growing.
  mutating func insert(_ hash: UInt64, place: UInt32, hashOf: (UInt32) -> UInt64) {
    if (count + 1) * 5 > (mask + 1) * 4 { grow(hashOf) }
    add(hash, place)
    count += 1
  }

  mutating func remove(_ hash: UInt64, place: UInt32, hashOf: (UInt32) -> UInt64) {
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].place != place {
      if slots[index].place == Self.empty { return }
      index = (index + 1) & mask
    }
    count -= 1
    var hole = index
    while true {
      index = (index + 1) & mask
      let slot = slots[index]
      if slot.place == Self.empty { break }
      let home = Int(truncatingIfNeeded: hashOf(slot.place)) & mask
      if (index &- home) & mask >= (index &- hole) & mask {
        slots[hole] = slot
        hole = index
      }
    }
    slots[hole].place = Self.empty
  }

  private mutating func add(_ hash: UInt64, _ place: UInt32) {
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].place != Self.empty { index = (index + 1) & mask }
    slots[index] = Slot(place: place, tag: UInt32(truncatingIfNeeded: hash >> 32))
  }

  private mutating func grow(_ hashOf: (UInt32) -> UInt64) {
    let old = slots
    let oldCount = mask + 1
    mask = oldCount * 2 - 1
    slots = Self.room(mask + 1)
    for index in 0..<oldCount where old[index].place != Self.empty {
      add(hashOf(old[index].place), old[index].place)
    }
    old.deallocate()
  }

  private static func room(_ count: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(place: empty, tag: 0), count: count)
    return slots
  }
}
