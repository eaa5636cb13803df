import Testing

@testable import APNSimHTTP2

@Suite struct `The table of streams` {
  @Test func `a stream is found from its opening to its end, whatever others stay open`() {
    var table = StreamTable()
    var open: Set<UInt32> = []
    // A fixed sequence: each step opens the next stream, and the multiplier chooses those that end.
    var random: UInt32 = 1
    for id in stride(from: UInt32(1), to: 12_001, by: 2) {
      table.insert(StreamSlot(id: id))
      open.insert(id)
      random = random &* 1_664_525 &+ 1_013_904_223
      let reach = id % 1000 < 900 ? UInt32(8) : 200
      for ended in [id &- 2 &* ((random >> 16) % reach), id &- 2 &* ((random >> 8) % reach)] {
        let place = table.place(of: ended)
        #expect((place != nil) == (open.remove(ended) != nil))
        if let place { table.remove(at: place) }
      }
      #expect(table.count == open.count)
    }
    #expect(table.identifiers == open.sorted() && open.count > 100)
    for id in open { #expect(table.place(of: id) != nil) }
  }
}
