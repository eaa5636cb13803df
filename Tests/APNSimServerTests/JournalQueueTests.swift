import Testing

@testable import APNSimServer

@Suite struct `What waits to be recorded` {
  private static let block = JournalBlock.byteCount

  private func append(_ count: Int, to queue: inout JournalQueue) -> Int? {
    [UInt8](repeating: 7, count: count).withUnsafeBytes { queue.append($0) }
  }

  @Test func `full blocks are handed out before the one that is being filled, which stays`() {
    var queue = JournalQueue(limit: 4 * Self.block)
    #expect(append(2 * Self.block + 5, to: &queue) == 2)
    let first = queue.take(.everything)
    #expect(first?.isFull == true && first?.behind == 1)
    #expect(queue.take(.everything)?.isFull == true)
    #expect(queue.take(.full) == nil)
    let filling = queue.take(.everything)
    #expect(filling?.count == 5 && filling?.isFull == false)
    #expect(append(6, to: &queue) == 0)
    let later = queue.take(.everything)
    #expect(later?.count == 11 && later?.block === filling?.block)
  }

  @Test func `where only the block that is being filled waits, there is room for any number`() {
    var queue = JournalQueue(limit: 2 * Self.block)
    #expect(append(5, to: &queue) == 0)
    #expect(append(6 * Self.block, to: &queue) == 6)
    #expect(append(3 * Self.block, to: &queue) == nil)
    while let portion = queue.take(.full) { queue.giveBack(portion.block) }
    #expect(append(3 * Self.block, to: &queue) == 3)
  }

  @Test func `lines that wait are counted, but for those that are written`() {
    var queue = JournalQueue(limit: 4 * Self.block)
    let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: Self.block + 7)
    _ = lines.withUnsafeBytes { queue.append($0) }
    #expect(queue.lineCount(after: 0) == Self.block + 7)
    let taken = queue.take(.full)
    #expect(queue.lineCount(after: 10) == Self.block - 3)
    if let taken { queue.giveBack(taken.block) }
    #expect(queue.lineCount(after: 0) == 7)
    #expect(queue.lineCount(after: 7) == 0)
  }

  @Test func `a block that became full after it was written in part comes before what was begun after it`() {
    var queue = JournalQueue(limit: 4 * Self.block)
    #expect(append(Self.block - 1, to: &queue) == 0)
    let part = queue.take(.everything)
    #expect(part?.count == Self.block - 1)
    #expect(append(2, to: &queue) == 1)
    let whole = queue.take(.everything)
    #expect(whole?.block === part?.block && whole?.isFull == true)
    let next = queue.take(.everything)
    #expect(next?.block !== part?.block && next?.count == 1)
  }
}
