import APNSimTestSupport
import Testing

@testable import APNSimState

@Suite(.mustNotHang) struct `The status of a state` {
  private let kept: Kept

  init() throws { kept = try Kept() }

  @Test func `the status of a state says how far the log is, and what stands in for it`() throws {
    try kept.run { keeper, ledger in
      for number in 1...10 { ledger.take("input \(number)") }
      let status = keeper.status
      #expect(status.directory == kept.path && status.position == 10 && status.logSegments == 1)
      #expect(status.logBytes == 10 * 24 && status.sync == .interval && status.lastSync == nil)
      #expect(!status.isShort && status.errors == 0 && status.lastError == nil)
      try keeper.snapshotNow()
      ledger.take("input 11")
      keeper.syncLog()
      #expect(keeper.status.logBytes == 24 && keeper.status.snapshot?.number == 10)
      #expect(keeper.status.lastSync != nil)
    }
    try kept.run { keeper, _ in
      let status = keeper.status
      #expect(status.position == 11 && status.logBytes == 24)
      #expect(status.snapshot?.number == 10 && status.snapshot?.duration == .zero)
      #expect(status.restored?.snapshot == 10 && status.restored?.inputs == 1)
      #expect(status.restored?.snapshotTime == status.snapshot?.time)
    }
  }

  @Test func `nothing is said to be on the disk without syncing`() throws {
    kept.options.sync = .off
    try kept.run { keeper, ledger in
      ledger.take("one")
      keeper.syncLog()
      #expect(keeper.status.lastSync == nil && keeper.status.sync == .off)
    }
    #expect(SyncMark.read(try kept.read("log-1")) == 0)
  }

  @Test func `the progress of a restoring can be asked for meanwhile`() throws {
    try kept.run { _, ledger in for number in 0..<3000 { ledger.take("input \(number)") } }
    let progress = StateProgress()
    #expect(!progress.isOver && progress.byteCount == 0)
    let (keeper, _, _) = try kept.open(progress: progress)
    keeper.abandon()
    #expect(progress.isOver && progress.inputs == 3000)
    #expect(progress.bytes == progress.byteCount && progress.byteCount > 72_000)
    #expect(progress.description == "3,000 inputs, 0 of 1 MiB")
  }
}
