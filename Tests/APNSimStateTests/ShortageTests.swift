import APNSimSystem
import APNSimTestSupport
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import APNSimState

/// A disk that is full when a test says so.
private final class Disk: Sendable {
  let isFull = Atomic(false)

  @Sendable func make(_ path: String, _ byteCount: Int) throws(SystemError) -> LogSegment {
    guard !isFull.load(ordering: .relaxed) else { throw SystemError("posix_fallocate", path, .noSpace) }
    return try LogSegment.make(path, byteCount)
  }
}

@Suite(.mustNotHang) struct `A full disk` {
  private let kept: Kept
  private let disk = Disk()
  private let told = Told()

  init() throws {
    kept = try Kept()
    kept.settings.make = disk.make
    kept.settings.retry = 10
    kept.notice = told.note
  }

  /// Takes entries in until one is refused; returns how many were not.
  private func fill(_ ledger: Ledger) -> Int {
    var count = 0
    while count < 10_000, ledger.take("input \(count)") { count += 1 }
    return count
  }

  @Test func `inputs are refused before they happen, and taken again when there is room`() throws {
    try kept.run { keeper, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      let count = fill(ledger)
      #expect(count > 100 && count < 10_000 && ledger.isSuspended)
      #expect(
        Kept.wait {
          keeper.status.isShort && told.notices.contains { if case .isShort = $0 { true } else { false } }
        }
      )
      #expect(keeper.status.lastError?.contains("no space left") == true && keeper.status.errors > 0)
      #expect(!ledger.take("refused") && ledger.entries.count == count)
      disk.isFull.store(false, ordering: .relaxed)
      #expect(Kept.wait { !ledger.isSuspended && !keeper.status.isShort })
      #expect(ledger.take("taken"))
      #expect(Kept.wait { told.notices.last == .hasRoom(gap: false) })
      // Nothing happened meanwhile, so no snapshot was needed.
      #expect(keeper.status.snapshot?.number == 0)
      #expect(keeper.status.position == UInt64(count + 1))
    }
    #expect(try kept.restored().entries.last == "taken")
  }

  @Test func `the lack of a new segment is told while there is still room`() throws {
    try kept.run { keeper, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      // The segment that was made ahead is begun, and the one after it cannot be made.
      while keeper.status.logSegments < 2 { ledger.take("input") }
      #expect(Kept.wait { keeper.status.errors > 0 })
      #expect(ledger.take("taken") && !keeper.status.isShort)
      #expect(told.notices.count == 1)
    }
  }

  @Test func `a gap is closed by a snapshot before anything is taken in again`() throws {
    var count = 0
    try kept.run { keeper, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      count = fill(ledger)
      // A connection that closes cannot be refused.
      for number in 0..<3 { #expect(ledger.take("closed \(number)", isRefusable: false)) }
      ledger.willWrite = { #expect(ledger.isSuspended) }
      disk.isFull.store(false, ordering: .relaxed)
      #expect(Kept.wait { !ledger.isSuspended && !keeper.status.isShort })
      #expect(keeper.status.snapshot?.number == UInt64(count + 3))
      #expect(ledger.take("taken"))
      #expect(keeper.status.position == UInt64(count + 4))
      #expect(Kept.wait { told.notices.last == .hasRoom(gap: true) })
    }
    let (entries, report) = try kept.restored()
    #expect(entries.count == count + 4 && entries.last == "taken" && entries[count] == "closed 0")
    #expect(report.restored?.inputs == 1)
  }

  @Test func `a simulator that is killed within a gap is what it was before`() throws {
    var count = 0
    try kept.run { _, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      count = fill(ledger)
      ledger.take("closed", isRefusable: false)
    }
    disk.isFull.store(false, ordering: .relaxed)
    try kept.run { keeper, ledger in
      #expect(ledger.entries.count == count && keeper.status.position == UInt64(count))
      ledger.take("taken")
    }
    #expect(try kept.restored().entries.count == count + 1)
  }

  @Test func `a gap that is in a snapshot alone is not read past without it`() throws {
    try kept.run { keeper, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      _ = fill(ledger)
      ledger.take("closed", isRefusable: false)
      disk.isFull.store(false, ordering: .relaxed)
      #expect(Kept.wait { !ledger.isSuspended && !keeper.status.isShort })
      ledger.take("taken")
    }
    let snapshot = try #require(try kept.names.last { $0.hasPrefix("snapshot-") && $0 != "snapshot-0" })
    try kept.change(snapshot) { $0[$0.count - 1] ^= 1 }
    guard case .damaged(_, 24, let reason)? = kept.failure() else {
      Issue.record("it was not refused")
      return
    }
    #expect(reason.contains("was expected"))
  }

  @Test func `more that finds no room while a gap is closed is in the next snapshot`() throws {
    var count = 0
    try kept.run { keeper, ledger in
      disk.isFull.store(true, ordering: .relaxed)
      count = fill(ledger)
      ledger.take("closed 0", isRefusable: false)
      let left = Atomic(3)
      ledger.willWrite = {
        // Between a snapshot that is written and the one that follows it.
        if left.wrappingSubtract(1, ordering: .relaxed).newValue >= 0 {
          ledger.take("closed", isRefusable: false)
        }
      }
      disk.isFull.store(false, ordering: .relaxed)
      #expect(Kept.wait { !ledger.isSuspended && !keeper.status.isShort })
      ledger.willWrite = {}
      ledger.take("taken")
      #expect(keeper.status.position == UInt64(ledger.entries.count))
    }
    let entries = try kept.restored().entries
    #expect(entries.last == "taken" && entries.count > count + 2)
  }

  @Test func `an input too large for the disk is refused, and those after it are not`() throws {
    kept.settings.make = { path, byteCount throws(SystemError) in
      guard byteCount <= 1 << 20 else { throw SystemError("posix_fallocate", path, .noSpace) }
      return try LogSegment.make(path, byteCount)
    }
    try kept.run { keeper, ledger in
      ledger.take("one")
      #expect(!ledger.take([UInt8](repeating: 1, count: 2 << 20)))
      #expect(Kept.wait { !ledger.isSuspended })
      #expect(Kept.wait { told.notices.last == .hasRoom(gap: false) })
      #expect(ledger.take("two"))
      #expect(ledger.take([UInt8](repeating: 1, count: 100_000)))
      #expect(keeper.status.position == 3)
    }
    #expect(try kept.restored().entries.count == 3)
  }

  @Test func `the last snapshot of a simulator that is closed within a gap has everything`() throws {
    let (keeper, ledger, _) = try kept.open()
    disk.isFull.store(true, ordering: .relaxed)
    let count = fill(ledger)
    ledger.take("closed", isRefusable: false)
    #expect(keeper.close()?.number == UInt64(count + 1))
    disk.isFull.store(false, ordering: .relaxed)
    try kept.run { keeper, ledger in
      #expect(ledger.entries.count == count + 1 && keeper.status.position == UInt64(count + 1))
      ledger.take("taken")
    }
    #expect(try kept.restored().entries.count == count + 2)
  }

  @Test func `a directory on a disk that is full from the start cannot be used`() {
    disk.isFull.store(true, ordering: .relaxed)
    guard case .unusable(_, let reason)? = kept.failure() else {
      Issue.record("it was used")
      return
    }
    #expect(reason == "no space left on the device")
  }
}

@Suite struct `A directory that is moved away while it is used` {
  private let kept: Kept

  init() throws { kept = try Kept() }

  @Test func `a directory moved away is left alone by the process that had it, and so is the new one`() throws
  {
    let (first, ledger, _) = try kept.open()
    first.start()
    ledger.take("one")
    let moved = kept.path + ".moved"
    defer { try? FileManager.default.removeItem(atPath: moved) }
    try FileManager.default.moveItem(atPath: kept.path, toPath: moved)
    try FileManager.default.createDirectory(atPath: kept.path, withIntermediateDirectories: true)
    let (second, other, _) = try kept.open()
    other.take("two")
    // The next segment of the second is made while this goes on.
    func names() throws -> [String] { try kept.names.filter { !$0.hasSuffix(".new") } }
    let before = try names()
    #expect(throws: StateFailure.self) { try first.snapshotNow() }
    // Until a segment is full, what is kept is kept in the directory that was moved.
    for number in 0..<2000 { ledger.take("more \(number)") }
    #expect(ledger.isSuspended && first.status.isShort && first.status.errors > 0)
    #expect(first.close() == nil)
    #expect(try names() == before)
    second.abandon()
    let (third, again, _) = try kept.open()
    defer { third.abandon() }
    #expect(again.entries == [Array("two".utf8)])
  }

  @Test func `a directory without its lock is written to no more`() throws {
    let (keeper, ledger, _) = try kept.open()
    defer { keeper.abandon() }
    ledger.take("one")
    try FileManager.default.removeItem(atPath: kept.home.file("lock"))
    #expect(throws: StateFailure.self) { try keeper.snapshotNow() }
  }
}
