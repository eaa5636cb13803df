import Testing

@testable import APNSimCore

@Suite struct `The index of devices` {
  @Test(arguments: [0, 3, 0xFF, UInt64.max])
  func `the index of devices finds what was added and not removed, however the hashes fall together`(
    spread: UInt64
  ) {
    var random = SeededGenerator(seed: 7)
    // Few places to begin at, the last of them before the turn, so that entries stand far from their own.
    let hashes = (0..<2000).map { _ in random.next() & spread | (random.next() & 1) << 40 &+ 62 }
    var table = HashTable()
    var held: Set<UInt32> = []
    let hashOf = { (place: UInt32) in hashes[Int(place)] }
    for step in 0..<20_000 {
      let place = UInt32.random(in: 0..<(step < 10_000 ? 40 : 2000), using: &random)
      if held.remove(place) != nil {
        table.remove(hashOf(place), place: place, hashOf: hashOf)
      } else {
        table.insert(hashOf(place), place: place, hashOf: hashOf)
        held.insert(place)
      }
      let other = UInt32.random(in: 0..<UInt32(step < 10_000 ? 40 : 2000), using: &random)
      #expect(table.find(hashOf(other)) { $0 == other } == (held.contains(other) ? other : nil))
    }
    #expect(table.count == held.count)
    for place in 0..<UInt32(2000) {
      #expect((table.find(hashOf(place)) { $0 == place } != nil) == held.contains(place))
    }
  }
}
