import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimState

/// A log on a machine that lost its power: pieces of the bytes that had not reached the disk for certain.
@Suite(.mustNotHang) struct `After the power was lost` {
  private let kept: Kept

  init() throws {
    kept = try Kept()
    kept.settings.boot = MachineBoot(high: 1, low: 1)
  }

  private var later: Kept { Kept(restarted: kept) }

  @Test func `a bad entry in front of good ones is the end, and what follows is cut and told`() throws {
    try kept.run { _, ledger in for number in 0..<8 { ledger.take("input \(number)") } }
    let places = try kept.places("log-1")
    try kept.change("log-1") { $0[places[3] + 16] ^= 1 }
    #expect(kept.failure() != nil)
    let (entries, report) = try later.restored()
    #expect(entries == ["input 0", "input 1", "input 2"])
    #expect(report.restored?.cutBytes == places[8] - places[3])
    #expect(report.remarks.count == 1)
  }

  @Test func `later segments are cut as well after the power was lost`() throws {
    try kept.run { _, ledger in for number in 0..<400 { ledger.take("input \(number)") } }
    let places = try kept.places("log-2")
    try kept.change("log-2") { $0[places[1]] ^= 1 }
    try later.run { keeper, ledger in
      #expect(keeper.status.position == UInt64(ledger.entries.count))
      #expect(
        ledger.entries.last.map { String(decoding: $0, as: UTF8.self) } == "input \(ledger.entries.count - 1)"
      )
      ledger.take("more")
    }
    #expect(try later.restored().entries.last == "more")
  }

  @Test func `a segment whose beginning is not there is cut`() throws {
    try kept.run { _, ledger in for number in 0..<400 { ledger.take("input \(number)") } }
    let count = try kept.places("log-1").count - 1 + kept.places("log-2").count - 1
    try kept.change("log-3") { bytes in
      bytes.replaceSubrange(0..<512, with: [UInt8](repeating: 0, count: 512))
    }
    #expect(kept.failure() != nil)
    #expect(try later.restored().entries.count == count)
  }

  @Test func `a bad entry before what was on the disk is refused all the same`() throws {
    try kept.run { keeper, ledger in
      for number in 0..<4 { ledger.take("input \(number)") }
      keeper.syncLog()
      for number in 4..<8 { ledger.take("input \(number)") }
    }
    let places = try kept.places("log-1")
    let bytes = try kept.read("log-1")
    #expect(SyncMark.read(bytes) == places[4])
    try kept.change("log-1") { $0[places[3] + 16] ^= 1 }
    guard case .damaged(_, places[3], _)? = later.failure() else {
      Issue.record("it was not refused")
      return
    }
    try kept.overwrite("log-1", bytes)
    // All that was on the disk, and nothing there.
    try kept.change("log-1") {
      $0.replaceSubrange(places[2]..., with: [UInt8](repeating: 0, count: $0.count - places[2]))
    }
    guard case .damaged(_, places[2], _)? = later.failure() else {
      Issue.record("it was not refused")
      return
    }
    try kept.overwrite("log-1", bytes)
    try kept.change("log-1") { $0[places[4] + 16] ^= 1 }
    #expect(try later.restored().entries.count == 4)
  }

  @Test func `an earlier segment counts as on the disk once a later one does`() throws {
    try kept.run { keeper, ledger in
      for number in 0..<400 { ledger.take("input \(number)") }
      keeper.syncLog()
    }
    try kept.change("log-1") { bytes in
      bytes[140] ^= 1
      bytes.replaceSubrange(SyncMark.place..<SyncMark.place + 8, with: [UInt8](repeating: 0, count: 8))
    }
    guard case .damaged(kept.home.file("log-1"), _, _)? = later.failure() else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `a mark of what is on the disk that is not whole says nothing`() {
    var head = [UInt8](repeating: 0, count: 128)
    #expect(SyncMark.read(head) == 0)
    head.replaceSubrange(SyncMark.place..<SyncMark.place + 8, with: SyncMark.bytes(4096))
    #expect(SyncMark.read(head) == 4096)
    for byte in SyncMark.place..<SyncMark.place + 8 {
      head[byte] ^= 16
      #expect(SyncMark.read(head) == 0)
      head[byte] ^= 16
    }
  }
}
