import APNSimCore
import APNSimSystem
import APNSimWire
import Synchronization
import SystemPackage

/// A directory in which a state is kept, and which no other process uses meanwhile.
///
/// It holds `lock`, `state.json` (what the state began with), `snapshot-N` (the state after input N) and `log-N` (the
/// inputs, in segments that are numbered on). What else is in it is left alone.
package final class StateDirectory: Sendable {
  /// The absolute path.
  package let path: String
  private let lock: SystemFile
  private let content: Mutex<Content>

  private struct Content {
    var identity: StateIdentity?
    /// The version of the program that wrote that.
    var programVersion = ""
    var rules = OutcomeRules.first
    var origin: UInt64
  }

  /// The format of the first, which knows nothing of `rules`, and the present one.
  static let (firstFormat, format): (UInt32, UInt32) = (1, 2)
  /// The most bytes of `state.json`; more is not ours, and no JSON where it is cut.
  private static let mostIdentity = 1 << 29

  /// Makes the directory where there is none, locks it, and reads what its state began with.
  package init(_ path: String) throws(StateFailure) {
    let absolute = SystemPath.absolute(path)
    self.path = absolute
    do throws(SystemError) {
      try SystemFolder.make(absolute, mode: 0o700, modeAbove: 0o777)
      guard SystemPath.isDirectory(absolute) else {
        throw SystemError("mkdir", absolute, finding: "a directory was expected, found something else")
      }
      try SystemFolder.checkWritable(absolute)
    } catch {
      throw StateFailure(absolute, error)
    }
    lock = try Self.takeLock(absolute)
    content = Mutex(Content(origin: 0))
    let read = try readContent()
    content.withLock { $0 = read ?? Content(origin: .random(in: 1 ... .max)) }
  }

  private static func takeLock(_ directory: String) throws(StateFailure) -> SystemFile {
    let path = directory + "/" + StateFileName.lock.text
    let holder: String
    do throws(SystemError) {
      let file = try SystemFile(ours: path, .readWrite, .create)
      if try file.lock() {
        try file.resize(to: 0)
        try file.write(Array("\(ThisProcess.identifier)\n".utf8))
        return file
      }
      holder = String(decoding: try file.read(32), as: UTF8.self)
    } catch {
      throw StateFailure(path, error)
    }
    throw .inUse(path: directory, pid: Int(holder.prefix { $0.isASCII && $0.isNumber }))
  }

  /// True if there is no state yet.
  package var isNew: Bool { identity == nil }

  /// The identity that the state that is there began with; nil if there is none.
  package var identity: StateIdentity? { content.withLock { $0.identity } }

  /// The version of the program that the state was used by last.
  var programVersion: String { content.withLock { $0.programVersion } }

  /// The generation of outcomes by which the state that is there was made.
  var rules: OutcomeRules { content.withLock { $0.rules } }

  /// The number that all files of the state have, so that those of another one are told apart.
  var origin: UInt64 { content.withLock { $0.origin } }

  /// Gives the directory up. Whoever waits for it can have it before this is let go of.
  package func close() { lock.unlock() }

  func path(_ name: StateFileName) -> String { path + "/" + name.text }

  /// Makes sure that the path still leads to the directory that was locked, before anything in it is written or removed:
  /// it may have been moved away, and another process may have one in its place.
  func checkPlace() throws(SystemError) {
    guard lock.isInPlace(followsLinks: false) else {
      throw SystemError(
        "lstat",
        lock.path,
        finding: "the directory is not the one that was locked: it, or its `lock`, was moved or removed"
      )
    }
  }

  /// The files that are ours.
  var files: [StateFileName] {
    get throws(StateFailure) {
      do throws(SystemError) {
        return try SystemFolder.names(in: path).compactMap { StateFileName($0) }
      } catch {
        throw StateFailure(path, error)
      }
    }
  }

  /// The numbers of the snapshots, and of the segments of the log, in order.
  var numbers: (snapshots: [UInt64], segments: [UInt64]) {
    get throws(StateFailure) {
      var (snapshots, segments): ([UInt64], [UInt64]) = ([], [])
      for file in try files {
        switch file {
        case .snapshot(let number): snapshots.append(number)
        case .log(let number): segments.append(number)
        case .lock, .identity, .identityDraft, .logDraft, .snapshotDraft: break
        }
      }
      return (snapshots.sorted(), segments.sorted())
    }
  }

  /// Removes what a process has left that ended before it was done.
  func removeDrafts() throws(StateFailure) { try remove { $0.isDraft } }

  /// Removes the state, so that another one can begin.
  func removeState() throws(StateFailure) {
    // The identity goes last: until then it is seen again what is to be removed, wherever this was cut off.
    try remove { file in
      switch file {
      case .lock, .identity, .snapshot: false
      case .log, .identityDraft, .logDraft, .snapshotDraft: true
      }
    }
    try remove { if case .snapshot = $0 { true } else { false } }
    try sync()
    try remove { $0 == .identity }
    content.withLock { $0 = Content(origin: .random(in: 1 ... .max)) }
  }

  private func remove(_ isMeant: (StateFileName) -> Bool) throws(StateFailure) {
    for file in try files where isMeant(file) {
      do throws(SystemError) {
        try checkPlace()
        try SystemPath.remove(path(file))
      } catch {
        throw StateFailure(path(file), error)
      }
    }
  }

  func sync() throws(StateFailure) {
    do throws(SystemError) { try SystemFolder.sync(path) } catch { throw StateFailure(path, error) }
  }

  // MARK: What the state began with

  /// Writes down what the state begins with.
  func begin(with identity: StateIdentity, version: String, rules: OutcomeRules) throws(StateFailure) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("apnsim")
    writer.string("state")
    writer.key("format")
    writer.int(rules == .first ? Self.firstFormat : Self.format)
    writer.key("version")
    writer.string(version)
    writer.key("id")
    // As text: a number of JSON has no 64 bits everywhere.
    writer.string(String(origin, radix: 16))
    rules.writeMember(to: &writer)
    writer.key("identity")
    identity.write(to: &writer)
    writer.endObject()
    writer.newline()
    let file = path(.identity)
    do throws(SystemError) {
      try FileReplacement.write(writer.bytes, to: file, syncedAt: path(.identityDraft))
      try SystemFolder.sync(path)
    } catch {
      throw StateFailure(file, error)
    }
    content.withLock { content in
      content.identity = identity
      content.programVersion = version
      content.rules = rules
    }
  }

  /// True if there is anything in a segment.
  private func hasEntries(_ segment: String) throws(StateFailure) -> Bool {
    do throws(SystemError) {
      let start = try SystemFile(ours: segment, .readOnly).read(8, at: Int64(FileHead.byteCount))
      return start.contains { $0 != 0 }
    } catch {
      throw StateFailure(segment, error)
    }
  }

  private static func rules(_ value: JSONValue, _ file: String) throws(StateFailure) -> OutcomeRules {
    do throws(OutcomeRules.Unknown) {
      return try OutcomeRules(named: value.member("rules").map { $0.intValue.map { Int(clamping: $0) } ?? 0 })
    } catch {
      throw .damaged(file: file, offset: 0, reason: "it \(error)")
    }
  }

  /// - Returns: nil if there is no state.
  private func readContent() throws(StateFailure) -> Content? {
    let (snapshots, segments) = try numbers
    let file = path(.identity)
    let bytes: [UInt8]
    do throws(SystemError) {
      let open = try SystemFile(ours: file, .readOnly)
      bytes = try open.read(min(Int(try open.byteCount), Self.mostIdentity))
    } catch {
      guard error.isAbsence else { throw StateFailure(file, error) }
      guard
        let first = snapshots.first.map({ StateFileName.snapshot($0) }) ?? segments.first.map({ .log($0) })
      else { return nil }
      throw .damaged(file: file, offset: 0, reason: "it is missing, and \(first.text) is there")
    }
    let value: JSONValue
    do { value = try JSONValue.parse(bytes) } catch {
      throw .damaged(file: file, offset: 0, reason: "it is not JSON: \(error)")
    }
    guard value.member("apnsim")?.stringValue == "state",
      let format = value.member("format")?.intValue.flatMap({ UInt32(exactly: $0) })
    else {
      throw .damaged(file: file, offset: 0, reason: "it does not say that it is a state, and of which format")
    }
    guard format <= Self.format else {
      throw .newerFormat(file: file, found: format, known: Self.format)
    }
    guard let origin = value.member("id")?.stringValue.flatMap({ UInt64($0, radix: 16) }),
      let identity = StateIdentity(value.member("identity"))
    else { throw .damaged(file: file, offset: 0, reason: "`id` and `identity` were expected") }
    let rules = try Self.rules(value, file)
    // A process that ended between this file and the first snapshot has taken nothing in.
    guard snapshots.isEmpty else {
      let version = value.member("version")?.stringValue ?? ""
      return Content(identity: identity, programVersion: version, rules: rules, origin: origin)
    }
    let isBegun = segments == [1] ? try hasEntries(path(.log(1))) : !segments.isEmpty
    guard !isBegun else {
      throw .damaged(
        file: path(.snapshot(0)),
        offset: 0,
        reason: "a snapshot was expected, and only segments of the log are there"
      )
    }
    return nil
  }
}
