import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimState

@Suite(.mustNotHang) struct `Snapshots of a state` {
  private let kept: Kept

  init() throws { kept = try Kept() }

  private func files(_ prefix: String) throws -> [String] {
    try kept.names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".new") }
  }

  @Test func `a state begins with one, so that a start alone is kept`() throws {
    try kept.run { keeper, _ in
      #expect(keeper.status.snapshot?.number == 0 && keeper.status.restored == nil)
    }
    #expect(try files("snapshot-") == ["snapshot-0"])
    let (entries, report) = try kept.restored()
    #expect(entries == [] && !report.isNew)
  }

  @Test func `a snapshot restores what is in it, then what the log has after it`() throws {
    try kept.run { keeper, ledger in
      for number in 1...5 { ledger.take("input \(number)") }
      let report = try keeper.snapshotNow()
      #expect(report.number == 5 && report.byteCount > 0)
      #expect(report.pause <= report.duration)
      for number in 6...8 { ledger.take("input \(number)") }
    }
    let (entries, report) = try kept.restored()
    #expect(entries == (1...8).map { "input \($0)" })
    #expect(report.restored?.snapshot == 5 && report.restored?.inputs == 3)
  }

  @Test func `the newest two stay, with the segments that the older one needs`() throws {
    try kept.run { keeper, ledger in
      for round in 1...4 {
        for number in 1...200 { ledger.take("input \(round) \(number)") }
        try keeper.snapshotNow()
      }
      for number in 1...10 { ledger.take("input 5 \(number)") }
      #expect(try keeper.status.logSegments == files("log-").count)
    }
    #expect(try files("snapshot-") == ["snapshot-600", "snapshot-800"])
    #expect(try !files("log-").contains("log-1"))
    let entries = try kept.restored().entries
    #expect(entries.count == 810)
    try FileManager.default.removeItem(atPath: kept.home.file("snapshot-800"))
    #expect(try kept.restored().entries == entries)
  }

  @Test func `the snapshot before a damaged one is used with its log, and that is told`() throws {
    try kept.run { keeper, ledger in
      ledger.take("one")
      try keeper.snapshotNow()
      ledger.take("two")
      try keeper.snapshotNow()
      ledger.take("three")
    }
    try kept.change("snapshot-2") { $0[$0.count - 1] ^= 1 }
    let (entries, report) = try kept.restored()
    #expect(entries == ["one", "two", "three"])
    #expect(report.restored?.snapshot == 1 && report.restored?.inputs == 2)
    #expect(
      report.remarks.count == 1
        && report.remarks.allSatisfy { $0.contains("snapshot-2: damaged at byte 128") }
    )
    #expect(try kept.restored().report.remarks == [])
  }

  @Test func `the newest snapshot is named where none is whole`() throws {
    try kept.run { keeper, ledger in
      ledger.take("one")
      try keeper.snapshotNow()
    }
    try kept.change("snapshot-0") { $0.removeLast() }
    try kept.change("snapshot-1") { $0.removeLast() }
    guard case .damaged(kept.home.file("snapshot-1"), _, _)? = kept.failure() else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `any other bit in one is found`() throws {
    try kept.run { keeper, ledger in
      ledger.take("one")
      try keeper.snapshotNow()
    }
    try FileManager.default.removeItem(atPath: kept.home.file("snapshot-0"))
    let bytes = try kept.read("snapshot-1")
    for byte in bytes.indices where !(100..<128).contains(byte) {
      try kept.change("snapshot-1") { $0[byte] ^= 1 }
      #expect(kept.failure() != nil, "byte \(byte)")
      try kept.overwrite("snapshot-1", bytes)
    }
    for count in 0..<bytes.count {
      try kept.overwrite("snapshot-1", Array(bytes[..<count]))
      #expect(kept.failure() != nil, "\(count) bytes")
    }
  }

  @Test func `a newer format is refused, whatever the older one is`() throws {
    try kept.run { keeper, ledger in
      ledger.take("one")
      try keeper.snapshotNow()
    }
    try kept.change("snapshot-1") { bytes in
      bytes[8] = 3
      let sum = bytes.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[..<96])) }
      withUnsafeBytes(of: sum) { bytes.replaceSubrange(96..<100, with: $0) }
    }
    #expect(kept.failure() == .newerFormat(file: kept.home.file("snapshot-1"), found: 3, known: 1))
  }

  @Test func `a snapshot that was not done is removed`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    try kept.home.write("snapshot-1.new", "half of it")
    #expect(try kept.restored().entries == ["one"])
    #expect(try !kept.names.contains("snapshot-1.new"))
  }

  @Test func `a snapshot is taken when the log has become too long`() throws {
    kept.options.logSize = 16_384
    try kept.run { keeper, ledger in
      keeper.start()
      for number in 1...2000 { ledger.take("input \(number)") }
      #expect(
        Kept.wait { (keeper.status.snapshot?.number ?? 0) > 0 && keeper.status.logBytes < 16_384 + 8192 }
      )
    }
    let (entries, report) = try kept.restored()
    #expect(entries.count == 2000 && (report.restored?.snapshot ?? 0) > 0)
  }

  @Test func `a snapshot is taken at the end, and nothing is left to be done`() throws {
    let (keeper, ledger, _) = try kept.open()
    for number in 1...3 { ledger.take("input \(number)") }
    #expect(keeper.close()?.number == 3)
    #expect(keeper.close()?.number == 3)
    #expect(try kept.names.filter { $0.hasSuffix(".new") } == [])
    let (entries, report) = try kept.restored()
    #expect(entries.count == 3 && report.restored?.inputs == 0 && report.restored?.cutBytes == 0)
    // Nothing came in, so nothing is written.
    let before = try files("")
    let (second, other, _) = try kept.open()
    second.close()
    #expect(try other.writes == 0 && files("") == before)
  }

  @Test func `a snapshot that cannot be written is told once, counted, and tried again`() throws {
    let told = Told()
    kept.notice = told.note
    try kept.run { keeper, ledger in
      ledger.take("one")
      // A directory in its place cannot be replaced.
      try FileManager.default.createDirectory(
        atPath: kept.home.file("snapshot-1") + "/x",
        withIntermediateDirectories: true
      )
      for _ in 0..<3 { #expect(throws: StateFailure.self) { try keeper.snapshotNow() } }
      #expect(keeper.status.errors == 3 && keeper.status.lastError != nil)
      #expect(told.notices.count == 1)
      try FileManager.default.removeItem(atPath: kept.home.file("snapshot-1"))
      #expect(try keeper.snapshotNow().number == 1)
    }
  }

  @Test func `several snapshots that are asked for at once are taken one after the other`() async throws {
    let (keeper, ledger, _) = try kept.open()
    defer { keeper.abandon() }
    ledger.take("one")
    let numbers = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<8 { group.addTask { try await keeper.snapshot().number } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers == [UInt64](repeating: 1, count: 8))
  }
}
