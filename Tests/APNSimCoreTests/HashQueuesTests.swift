import Testing

@testable import APNSimCore

@Suite struct `Queues by hashes` {
  @Test(arguments: [0, 3, UInt64.max])
  func `queues have their rows in order, however the hashes fall together`(spread: UInt64) {
    var random = SeededGenerator(seed: 7)
    // Few places to begin at, the last of them before the turn, so that queues stand far from their own.
    let keys = (0..<500).map { _ in random.next() & spread | (random.next() & 255) << 40 &+ 62 }
    var queues = HashQueues()
    var expected: [UInt64: [UInt32]] = [:]
    var keyOf: [UInt32: UInt64] = [:]
    for step in 0..<20_000 {
      let row = UInt32.random(in: 0..<(step < 10_000 ? 40 : 2000), using: &random)
      if let key = keyOf.removeValue(forKey: row) {
        queues.remove(row)
        expected[key]?.removeAll { $0 == row }
      } else {
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        queues.append(row, to: key)
        expected[key, default: []].append(row)
        keyOf[row] = key
      }
      let key = keys[Int.random(in: 0..<keys.count, using: &random)]
      let found = sequence(first: queues.first(key)) { $0.map { queues.next(after: $0) } }
      #expect(found.prefix { $0 != nil }.map { $0 } == expected[key] ?? [])
    }
  }
}
