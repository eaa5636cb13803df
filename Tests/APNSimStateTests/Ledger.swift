import APNSimTestSupport
import Foundation
import Synchronization

@testable import APNSimCore
@testable import APNSimState

/// The smallest thing that can be kept: it remembers what it was told, and does with a log what a simulator does.
final class Ledger: KeptSimulator, @unchecked Sendable {
  private struct Content {
    var entries: [[UInt8]] = []
    var log: (any InputLog)?
    var isSuspended = false
    var writes = 0
  }

  private let content: Mutex<Content>
  /// Called before the state is written down.
  nonisolated(unsafe) var willWrite: () -> Void = {}

  init() { content = Mutex(Content()) }

  init(reading state: inout StateReader) throws(StateError) {
    let count = try state.count()
    var entries: [[UInt8]] = []
    for _ in 0..<count { entries.append(Array(try state.bytes())) }
    let read = entries
    content = Mutex(Content(entries: read))
  }

  var entries: [[UInt8]] { content.withLock { $0.entries } }
  var isSuspended: Bool { content.withLock { $0.isSuspended } }
  var writes: Int { content.withLock { $0.writes } }

  /// Takes an entry in, or refuses it where it cannot be kept.
  @discardableResult
  func take(_ entry: [UInt8], isRefusable: Bool = true) -> Bool {
    content.withLock { content in
      if let log = content.log {
        var isKept = !content.isSuspended
        if isKept, !log.makeRoom(for: entry.count) { (isKept, content.isSuspended) = (false, true) }
        if isKept {
          let half = entry.count / 2
          entry.withUnsafeBytes { bytes in
            log.append(
              UnsafeRawBufferPointer(rebasing: bytes[..<half]),
              UnsafeRawBufferPointer(rebasing: bytes[half...])
            )
          }
        } else if isRefusable {
          return false
        } else {
          log.noteGap()
        }
      }
      content.entries.append(entry)
      return true
    }
  }

  @discardableResult
  func take(_ text: String, isRefusable: Bool = true) -> Bool {
    take(Array(text.utf8), isRefusable: isRefusable)
  }

  func apply(_ entry: UnsafeRawBufferPointer) throws(StateError) {
    guard entry.first != UInt8(ascii: "!") else { throw StateError("no exclamations", at: 0) }
    content.withLock { $0.entries.append(Array(entry)) }
  }

  // MARK: KeptSimulator

  func keep(in log: (any InputLog)?) { content.withLock { $0.log = log } }

  func suspend() { content.withLock { $0.isSuspended = true } }

  func resume(if isReady: () -> Bool) -> Bool {
    content.withLock { content in
      guard isReady() else { return false }
      content.isSuspended = false
      return true
    }
  }

  func writeState(room: Int, begin: () -> Void, _ mark: () -> Void) -> StateWriter {
    willWrite()
    var state = StateWriter(room: room)
    content.withLock { content in
      begin()
      content.writes += 1
      state.write(count: content.entries.count)
      for entry in content.entries { state.write(entry) }
      mark()
    }
    return state
  }
}

/// A directory in which a ledger is kept, and how.
final class Kept {
  let home: TemporaryDirectory
  var options = StateOptions(logSize: 1 << 30)
  var settings = FileLog.Settings(logSize: 4 << 20)
  var identity = StateIdentity([("seed", "1")])
  /// The generation of outcomes of the state that was read last.
  private(set) var readRules: OutcomeRules?
  var notice: @Sendable (StateNotice) -> Void = { _ in }

  init() throws {
    home = try TemporaryDirectory()
    settings.segmentByteCount = 4096
    settings.patience = .seconds(Int(Hang.limit.components.seconds))
  }

  /// The same directory, after the machine was started again.
  init(restarted kept: Kept) {
    (home, options, settings) = (kept.home, kept.options, kept.settings)
    (identity, notice) = (kept.identity, kept.notice)
    settings.boot = MachineBoot(high: 2, low: 2)
  }

  var path: String { home.path }

  typealias Opened = (keeper: StateKeeper, simulator: Ledger, report: StateReport)

  func open(progress: StateProgress = StateProgress()) throws -> Opened {
    let maker = StateKeeper.Maker<Ledger>(
      begin: { Ledger() },
      read: { [self] (state: inout StateReader, rules: OutcomeRules) throws(StateError) in
        readRules = rules
        return try Ledger(reading: &state)
      },
      apply: { ledger, entry throws(StateError) in try ledger.apply(entry) }
    )
    return try StateKeeper.open(
      in: StateDirectory(path),
      identity: identity,
      options: options,
      maker,
      settings,
      StateProcess(progress: progress, notice: notice)
    )
  }

  /// Opens it, takes entries in, and lets go of everything as a killed process does.
  func run(_ body: (StateKeeper, Ledger) throws -> Void) throws {
    let (keeper, ledger, _) = try open()
    try body(keeper, ledger)
    keeper.abandon()
  }

  /// Opens it and returns what was restored.
  func restored() throws -> (entries: [String], report: StateReport) {
    let (keeper, ledger, report) = try open()
    defer { keeper.abandon() }
    return (ledger.entries.map { String(decoding: $0, as: UTF8.self) }, report)
  }

  /// The names in the directory, in order.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

  func read(_ name: String) throws -> [UInt8] { try home.read(name) }

  /// Writes bytes over those of a file.
  func overwrite(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: home.file(name)))
  }

  /// Changes the bytes of a file.
  func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = try read(name)
    body(&bytes)
    try overwrite(name, bytes)
  }

  /// The places of the entries of a segment, and of what follows them.
  func places(_ name: String) throws -> [Int] {
    let bytes = try read(name)
    return bytes.withUnsafeBytes { bytes in
      var places = [FileHead.byteCount]
      while case .entry(_, let body) = LogEntry.read(bytes, at: places.last ?? 0) {
        places.append((places.last ?? 0) + LogEntry.byteCount(of: body.count))
      }
      return places
    }
  }

  /// The failure of opening; nil if there is none.
  func failure() -> StateFailure? {
    do {
      try run { _, _ in }
      return nil
    } catch {
      return error as? StateFailure
    }
  }
}

extension Kept {
  /// Looks again and again until something is true, as `eventually` does, where nothing may be awaited.
  static func wait(until isTrue: () -> Bool) -> Bool {
    let end = ContinuousClock.now + Hang.limit
    while !isTrue() {
      guard ContinuousClock.now < end else { return false }
      usleep(2000)
    }
    return true
  }
}
