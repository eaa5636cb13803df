import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimState

@Suite(.mustNotHang) struct `The log of a state` {
  private let kept: Kept

  init() throws { kept = try Kept() }

  private static func texts(_ range: Range<Int>) -> [String] {
    range.map { "input \($0) " + String(repeating: "x", count: $0 % 97) }
  }

  @Test func `what was kept in segments is there again, in its order`() throws {
    let texts = Self.texts(0..<500)
    try kept.run { _, ledger in for text in texts { #expect(ledger.take(text)) } }
    #expect(try kept.names.filter { $0.hasPrefix("log-") && !$0.hasSuffix(".new") }.count > 5)
    let (entries, report) = try kept.restored()
    #expect(entries == texts)
    #expect(report.restored?.inputs == 500 && report.restored?.cutBytes == 0 && report.remarks == [])
  }

  @Test func `the log of a state goes on after what was restored, as often as that happens`() throws {
    var texts: [String] = []
    for round in 0..<6 {
      let more = Self.texts(round * 50..<round * 50 + 50)
      try kept.run { keeper, ledger in
        #expect(ledger.entries.count == texts.count)
        #expect(keeper.status.position == UInt64(texts.count))
        for text in more { ledger.take(text) }
      }
      texts += more
    }
    #expect(try kept.restored().entries == texts)
  }

  @Test func `restarts in which nothing comes in leave no segments behind`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    for _ in 0..<5 { try kept.run { _, _ in } }
    #expect(try kept.names.filter { $0.hasPrefix("log-") && !$0.hasSuffix(".new") } == ["log-1", "log-2"])
    #expect(try kept.restored().entries == ["one"])
  }

  @Test func `an input that is larger than segments gets one of its own`() throws {
    let large = [UInt8](repeating: 7, count: 3 << 20)
    try kept.run { _, ledger in
      ledger.take("before")
      #expect(ledger.take(large))
      for text in Self.texts(0..<100) { ledger.take(text) }
      #expect(ledger.take(large))
      ledger.take("after")
    }
    let (keeper, ledger, report) = try kept.open()
    keeper.abandon()
    #expect(report.restored?.inputs == 104)
    #expect(ledger.entries.count == 104 && ledger.entries[1] == large && ledger.entries[102] == large)
    #expect(ledger.entries.last == Array("after".utf8))
  }

  @Test func `an input without bytes is one`() throws {
    try kept.run { _, ledger in for text in ["", "a", ""] { ledger.take(text) } }
    #expect(try kept.restored().entries == ["", "a", ""])
  }

  // MARK: The end

  /// A log whose last entries are cut at each byte, as a process leaves it that was killed then, or a disk.
  @Test func `a log that is cut at any byte of its last entries has those that are whole`() throws {
    let texts = Self.texts(0..<10)
    try kept.run { _, ledger in for text in texts { ledger.take(text) } }
    let bytes = try kept.read("log-1")
    let files = try kept.names
    let places = try kept.places("log-1")
    #expect(places.count == 11)
    for cut in places[7]...places[10] {
      for isShort in [true, false] {
        let head = Array(bytes[..<cut])
        try kept.overwrite("log-1", isShort ? head : head + [UInt8](repeating: 0, count: bytes.count - cut))
        let (entries, report) = try kept.restored()
        // The last bytes of an entry may be zeros already.
        let whole = try #require(places.lastIndex { $0 <= cut })
        #expect(entries == Array(texts[..<entries.count]) && entries.count >= whole)
        #expect(isShort ? entries.count <= whole + 1 : entries.count <= whole + 1)
        if entries.count == whole {
          let left =
            (bytes[places[whole]..<cut].lastIndex { $0 != 0 } ?? places[whole] - 1) + 1 - places[whole]
          let told = report.restored?.cutBytes ?? -1
          #expect(told >= left && told < left + 8)
          #expect(report.remarks.isEmpty == (left == 0))
        }
        for name in try kept.names where !files.contains(name) || name.hasPrefix("log-") {
          try FileManager.default.removeItem(atPath: kept.home.file(name))
        }
      }
    }
  }

  @Test func `a damaged last entry is cut and told, and the log goes on there`() throws {
    let texts = Self.texts(0..<5)
    try kept.run { _, ledger in for text in texts { ledger.take(text) } }
    let places = try kept.places("log-1")
    try kept.change("log-1") { $0[places[4] + 17] ^= 4 }
    try kept.run { keeper, ledger in
      #expect(ledger.entries.count == 4 && keeper.status.position == 4)
      #expect((keeper.status.restored?.cutBytes ?? 0) > 0)
      ledger.take("another")
    }
    let (entries, report) = try kept.restored()
    #expect(entries == texts[..<4] + ["another"])
    #expect(report.remarks == [])
  }

  // MARK: The middle

  @Test func `any other bit in the middle is refused, naming the file and the byte`() throws {
    try kept.run { _, ledger in for text in Self.texts(0..<8) { ledger.take(text) } }
    let bytes = try kept.read("log-1")
    let places = try kept.places("log-1")
    for byte in places[2]..<places[4] {
      let entry = byte < places[3] ? places[2] : places[3]
      // Bytes that fill up to a multiple of 8 are covered by nothing, and mean nothing.
      let next = byte < places[3] ? places[3] : places[4]
      let length = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: entry, as: UInt32.self)) }
      guard byte < entry + 16 + length else { continue }
      for bit in [0, 3, 7] {
        var changed = bytes
        changed[byte] ^= 1 << bit
        try kept.overwrite("log-1", changed)
        guard case .damaged(let file, let offset, _)? = kept.failure() else {
          Issue.record("bit \(bit) of byte \(byte) was not found")
          return
        }
        #expect(file == kept.home.file("log-1") && offset >= entry && offset < next)
      }
    }
  }

  @Test func `a damaged head is refused`() throws {
    try kept.run { _, ledger in for text in Self.texts(0..<200) { ledger.take(text) } }
    for name in ["log-1", "log-3"] {
      let bytes = try kept.read(name)
      for byte in 0..<100 {
        try kept.change(name) { $0[byte] ^= 1 }
        guard case .damaged(let file, _, _)? = kept.failure() else {
          Issue.record("byte \(byte) of \(name) was not found")
          return
        }
        #expect(file == kept.home.file(name))
        try kept.overwrite(name, bytes)
      }
    }
  }

  @Test func `a bad entry in an earlier segment is refused`() throws {
    try kept.run { _, ledger in for text in Self.texts(0..<200) { ledger.take(text) } }
    let last = try #require(try kept.places("log-2").dropLast().last)
    try kept.change("log-2") { $0[last + 16] ^= 1 }
    #expect(
      kept.failure()
        == .damaged(
          file: kept.home.file("log-2"),
          offset: last,
          reason: "the entry is not whole: its checksum is another one"
        )
    )
  }

  @Test func `a segment that is missing is refused by name`() throws {
    try kept.run { _, ledger in for text in Self.texts(0..<200) { ledger.take(text) } }
    try FileManager.default.removeItem(atPath: kept.home.file("log-2"))
    #expect(
      kept.failure()
        == .damaged(file: kept.home.file("log-2"), offset: 0, reason: "it is missing, and log-3 follows it")
    )
  }

  @Test func `a beginning that is missing is refused, and so is a log that is`() throws {
    try kept.run { _, ledger in for text in Self.texts(0..<200) { ledger.take(text) } }
    try FileManager.default.removeItem(atPath: kept.home.file("log-1"))
    guard case .damaged(kept.home.file("log-2"), 24, let reason)? = kept.failure() else {
      Issue.record("it was not refused")
      return
    }
    #expect(reason.contains("input 1 was expected"))
    for name in try kept.names where name.hasPrefix("log-") {
      try FileManager.default.removeItem(atPath: kept.home.file(name))
    }
    #expect(
      kept.failure()
        == .damaged(file: kept.home.file("log-1"), offset: 0, reason: "a log was expected, and there is none")
    )
  }

  @Test func `an input that cannot happen again is refused with its place`() throws {
    try kept.run { _, ledger in
      ledger.take("one")
      ledger.take("!")
      ledger.take("three")
    }
    let place = try kept.places("log-1")[1]
    #expect(
      kept.failure()
        == .damaged(
          file: kept.home.file("log-1"),
          offset: place + 16,
          reason: "input 2 cannot happen again: no exclamations"
        )
    )
  }

  @Test func `a segment of another state is refused`() throws {
    let other = try Kept()
    try other.run { _, ledger in ledger.take("another") }
    try kept.run { _, ledger in ledger.take("one") }
    try kept.overwrite("log-1", try other.read("log-1"))
    #expect(
      kept.failure()
        == .damaged(file: kept.home.file("log-1"), offset: 32, reason: "it belongs to another state")
    )
  }

  @Test func `a newer format is refused by name`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    try kept.change("log-1") { bytes in
      bytes[8] = 2
      let sum = bytes.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[..<96])) }
      withUnsafeBytes(of: sum) { bytes.replaceSubrange(96..<100, with: $0) }
    }
    #expect(kept.failure() == .newerFormat(file: kept.home.file("log-1"), found: 2, known: 1))
  }

  @Test func `a link in place of a segment is not followed`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    let elsewhere = try TemporaryDirectory()
    try FileManager.default.moveItem(atPath: kept.home.file("log-1"), toPath: elsewhere.file("log"))
    try FileManager.default.createSymbolicLink(
      atPath: kept.home.file("log-1"),
      withDestinationPath: elsewhere.file("log")
    )
    guard case .unusable(kept.home.file("log-1"), let reason)? = kept.failure() else {
      Issue.record("it was followed")
      return
    }
    #expect(reason.contains("symbolic link"))
  }
}
