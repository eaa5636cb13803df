/// The open and half-closed streams of a connection, found by their identifiers.
///
/// Open addressing on half the identifier: identifiers rise by 2 and close roughly in order, so the places in use are a
/// ring. A stream that stays open for good costs one step where the ring comes around.
struct StreamTable: ~Copyable {
  private var slots: UnsafeMutableBufferPointer<StreamSlot> = .init(start: nil, count: 0)
  private(set) var count = 0
  /// The number of streams that are not at the place where they are looked for first.
  private var displaced = 0
  /// The places that a burst needed which is over: the next one begins with as many.
  private var usual = 8

  init() {}

  deinit { slots.deallocate() }

  private var mask: Int { slots.count &- 1 }

  /// The place where a stream is looked for first.
  @inline(__always)
  private func home(of id: UInt32) -> Int { Int(id >> 1) & mask }

  /// The place of a stream, or nil. It is valid until the next insertion or removal.
  @inline(__always)
  func place(of id: UInt32) -> Int? {
    guard !slots.isEmpty else { return nil }
    var place = home(of: id)
    while slots[place].id != 0 {
      if slots[place].id == id { return place }
      place = (place &+ 1) & mask
    }
    return nil
  }

  @inline(__always)
  subscript(place: Int) -> StreamSlot {
    get {
      precondition(place >= 0 && place < slots.count)
      return slots[place]
    }
    _modify {
      precondition(place >= 0 && place < slots.count)
      yield &slots[place]
    }
  }

  /// Adds a stream that is not there.
  @inline(__always)
  mutating func insert(_ slot: StreamSlot) {
    if count &* 4 >= slots.count &* 3 { grow() }
    let home = home(of: slot.id)
    var place = home
    while slots[place].id != 0 { place = (place &+ 1) & mask }
    slots[place] = slot
    count &+= 1
    if place != home { displaced &+= 1 }
  }

  @inline(never)
  private mutating func grow() {
    let old = slots
    slots = .allocate(capacity: old.isEmpty ? usual : old.count * 2)
    slots.initialize(repeating: StreamSlot(id: 0))
    (count, displaced) = (0, 0)
    for slot in old where slot.id != 0 { insert(slot) }
    old.deallocate()
  }

  /// Removes a stream. Where others are displaced, the gap that it leaves is closed.
  mutating func remove(at place: Int) {
    if place != home(of: slots[place].id) { displaced &-= 1 }
    slots[place].id = 0
    count &-= 1
    if displaced > 0 { close(place) }
  }

  @inline(never)
  private mutating func close(_ place: Int) {
    var gap = place
    var next = (gap &+ 1) & mask
    while slots[next].id != 0 {
      let home = home(of: slots[next].id)
      if (next &- home) & mask >= (next &- gap) & mask {
        slots[gap] = slots[next]
        slots[next].id = 0
        if gap == home { displaced &-= 1 }
        gap = next
      }
      next = (next &+ 1) & mask
    }
  }

  /// Gives back the memory of a burst when no stream is open.
  mutating func shrink() {
    guard count == 0, slots.count > 16 else { return }
    usual = min(slots.count, Self.mostUsual)
    slots.deallocate()
    slots = .init(start: nil, count: 0)
  }

  private static var mostUsual: Int { 256 }

  /// Visits each stream in no particular order. The body must not depend on it.
  mutating func forEach(_ body: (inout StreamSlot) -> Void) {
    for place in slots.indices where slots[place].id != 0 { body(&slots[place]) }
  }

  /// The identifiers, in ascending order.
  var identifiers: [UInt32] {
    slots.lazy.map(\.id).filter { $0 != 0 }.sorted()
  }
}
