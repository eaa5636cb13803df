import APNSimCore
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimState

@Suite(.mustNotHang) struct `A directory of state` {
  private let kept: Kept

  init() throws { kept = try Kept() }

  // Foundation asks for a file's owner as well, and that may take a socket.
  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test func `a directory of state is made for its owner alone, and so is what is in it`() throws {
    let path = kept.home.file("a/b")
    let directory = try StateDirectory(path)
    #expect(directory.path == path && directory.isNew && directory.identity == nil)
    #expect(try mode(path) == 0o700)
    #expect(try mode(path + "/lock") == 0o600)
    try kept.run { _, _ in }
    for name in ["state.json", "snapshot-0", "log-1"] { #expect(try mode(kept.home.file(name)) == 0o600) }
  }

  @Test func `a directory that is there keeps its mode`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: kept.path)
    _ = try StateDirectory(kept.path)
    #expect(try mode(kept.path) == 0o750)
  }

  @Test func `a file in its place is refused`() throws {
    try kept.home.write("file", "text")
    #expect(
      throws: StateFailure.unusable(
        path: kept.home.file("file"),
        reason: "a directory was expected, found something else"
      )
    ) {
      try StateDirectory(kept.home.file("file"))
    }
    #expect(
      throws: StateFailure.unusable(
        path: kept.home.file("file/state"),
        reason: "a part of the path is not a directory"
      )
    ) {
      try StateDirectory(kept.home.file("file/state"))
    }
  }

  @Test func `a directory that cannot be written is refused`() throws {
    // To root everything is allowed, but for what the kernel makes itself.
    #expect { try StateDirectory(getuid() == 0 ? "/proc/self" : "/") } throws: { error in
      if case StateFailure.unusable = error { true } else { false }
    }
  }

  @Test func `a second process is refused, and told which one has it`() throws {
    let first = try StateDirectory(kept.path)
    let pid = Int(ProcessInfo.processInfo.processIdentifier)
    #expect(throws: StateFailure.inUse(path: kept.path, pid: pid)) { try StateDirectory(kept.path) }
    #expect(StateFailure.inUse(path: "DIR", pid: 4711).description == "DIR: is used by pid 4711")
    first.close()
    _ = try StateDirectory(kept.path)
  }

  @Test func `files of others are left alone`() throws {
    let others = [
      "log-01", "log-1.txt", "log-x", "snapshot-", "log-", "log-1.new.new", "notes", "log--1", "log-+1",
      "snapshot-1 ",
      "log-99999999999999999999", "state.json.bak",
    ]
    for name in others { try kept.home.write(name, name) }
    try kept.run { keeper, ledger in
      ledger.take("one")
      try keeper.snapshotNow()
    }
    kept.identity = StateIdentity([("seed", "2")])
    kept.options.mismatch = .reset
    try kept.run { _, ledger in #expect(ledger.entries == []) }
    for name in others { #expect(try kept.read(name) == Array(name.utf8)) }
  }

  // MARK: What a state began with

  @Test func `a directory of state that began with something else is refused, naming each difference`() throws
  {
    kept.identity = StateIdentity([("seed", "1"), ("keep", "100"), ("old", "x"), ("same", "y")])
    try kept.run { _, ledger in ledger.take("one") }
    kept.identity = StateIdentity([("seed", "2"), ("same", "y"), ("keep", ""), ("new", "z")])
    let failure = try #require(kept.failure())
    #expect(
      failure
        == .mismatch(
          path: kept.path,
          [
            StateDifference(name: "seed", before: "1", now: "2"),
            StateDifference(name: "keep", before: "100", now: ""),
            StateDifference(name: "new", before: nil, now: "z"),
            StateDifference(name: "old", before: "x", now: nil),
          ]
        )
    )
    #expect(
      failure.description
        == "\(kept.path): the state that is there began with something else: the seed was 1, and is 2; "
        + "the keep was 100, and is empty; the new was not set, and is z; the old was x, and is not set"
    )
  }

  @Test func `what differs in long texts is shown where it does`() {
    let text = String(repeating: "a", count: 500)
    let difference = StateDifference(name: "rules", before: text + "1" + text, now: text + "2")
    #expect(difference.description.utf8.count < 300)
    #expect(difference.description.contains("a1a") && difference.description.hasSuffix("a2"))
  }

  @Test func `a reset removes the state, and begins another one`() throws {
    try kept.run { keeper, ledger in
      for number in 0..<300 { ledger.take("input \(number)") }
      try keeper.snapshotNow()
    }
    kept.identity = StateIdentity([("seed", "2")])
    kept.options.mismatch = .reset
    let (keeper, ledger, report) = try kept.open()
    #expect(ledger.entries == [] && report.isNew)
    #expect(report.removed == [StateDifference(name: "seed", before: "1", now: "2")])
    ledger.take("new")
    keeper.abandon()
    let (entries, second) = try kept.restored()
    #expect(entries == ["new"] && second.removed == [])
  }

  @Test func `the same order or not, the same texts are the same`() throws {
    kept.identity = StateIdentity([("a", "1"), ("b", "2")])
    try kept.run { _, _ in }
    kept.identity = StateIdentity([("b", "2"), ("a", "1")])
    #expect(kept.failure() == nil)
  }

  @Test func `the identity that a directory began with can be asked for before it is opened`() throws {
    kept.identity = StateIdentity([("seed", "42"), ("text", "\"quoted\" \u{1F514}\n")])
    try kept.run { _, _ in }
    let directory = try StateDirectory(kept.path)
    #expect(!directory.isNew && directory.identity == kept.identity && directory.identity?["seed"] == "42")
  }

  @Test func `a state names the generation of outcomes that it began with, and goes on by it`() throws {
    try kept.run { _, _ in }
    #expect(try StateDirectory(kept.path).rules == .current)
    // As version 0.2 wrote it.
    let file = try String(contentsOfFile: kept.home.file("state.json"), encoding: .utf8)
    let earlier = file.replacing(#""rules":2,"#, with: "").replacing(#""format":2"#, with: #""format":1"#)
    #expect(earlier.count < file.count)
    try kept.home.write("state.json", earlier)
    for version in ["0.2.0", "0.3.0"] {
      kept.options.programVersion = version
      try kept.run { _, _ in }
      #expect(kept.readRules == .first)
      let now = try String(contentsOfFile: kept.home.file("state.json"), encoding: .utf8)
      #expect(now.contains(#""format":1"#) && !now.contains("rules"))
    }
  }

  @Test(arguments: ["0", "3", #""2""#])
  func `a state by outcomes of a later version is refused`(rules: String) throws {
    try kept.run { _, _ in }
    let file = try String(contentsOfFile: kept.home.file("state.json"), encoding: .utf8)
    try kept.home.write("state.json", file.replacing(#""rules":2"#, with: "\"rules\":\(rules)"))
    guard case .damaged(_, _, let reason)? = kept.failure() else {
      Issue.record("it was taken")
      return
    }
    #expect(reason.contains("`rules`"))
  }

  @Test func `a later format is refused`() throws {
    try kept.run { _, _ in }
    try kept.home.write("state.json", #"{"apnsim":"state","format":7}"#)
    #expect(kept.failure() == .newerFormat(file: kept.home.file("state.json"), found: 7, known: 2))
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"apnsim":"state"}"#, #"{"apnsim":"state","format":1,"id":"x"}"#])
  func `a file that does not say what the state began with is refused`(text: String) throws {
    try kept.run { _, _ in }
    try kept.home.write("state.json", text)
    guard case .damaged(kept.home.file("state.json"), _, _)? = kept.failure() else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `what is there without the directory's own file is not taken for nothing`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    try FileManager.default.removeItem(atPath: kept.home.file("state.json"))
    #expect(
      kept.failure()
        == .damaged(
          file: kept.home.file("state.json"),
          offset: 0,
          reason: "it is missing, and snapshot-0 is there"
        )
    )
  }

  @Test func `inputs without a snapshot are not taken for nothing`() throws {
    try kept.run { _, ledger in ledger.take("one") }
    try FileManager.default.removeItem(atPath: kept.home.file("snapshot-0"))
    guard case .damaged(kept.home.file("snapshot-0"), 0, _)? = kept.failure() else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `a beginning that was not done is done anew`() throws {
    try kept.run { _, _ in }
    try FileManager.default.removeItem(atPath: kept.home.file("snapshot-0"))
    kept.identity = StateIdentity([("seed", "2")])
    let (keeper, _, report) = try kept.open()
    keeper.abandon()
    #expect(report.isNew && report.removed == [])
    try FileManager.default.removeItem(atPath: kept.home.file("snapshot-0"))
    try FileManager.default.removeItem(atPath: kept.home.file("log-1"))
    #expect(kept.failure() == nil)
  }
}
