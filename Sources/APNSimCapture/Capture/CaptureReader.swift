import APNSimCore
import APNSimScenario
import APNSimWire

/// Reads a capture from its beginning, one entry at a time, in memory that does not grow with it.
///
/// The file may be gzip. Where it is cut short or damaged, everything before that is handed out and `damage` says
/// where and why. Events of kinds that are not known are handed out by their names and counted.
package final class CaptureReader {
  /// The file that is being read.
  package var path: String { lines.file.path }
  package let header: CaptureHeader
  /// The first line as it stands.
  package let headerLine: [UInt8]
  /// The damage at which reading ended before the file did.
  package private(set) var damage: CaptureDamage?
  /// Events of kinds that this program does not know, and how many there were.
  package private(set) var unknownEvents: [String: Int] = [:]
  package private(set) var gaps = CaptureGaps()
  /// The sequence number expected next, and whether the present line's was compared with it.
  private var nextSeq: UInt64
  private var isFollowed = false
  private var lines: CaptureLines
  /// The files of the parts that follow.
  private var followingParts: ArraySlice<String> = []
  /// The file of the first gap.
  package private(set) var gapPath: String?
  private var fields = LineFields()
  private var memory = NotificationLine.Memory()
  private var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private var isAtEnd = false

  /// Opens a capture; `-` is the standard input.
  /// - Throws: `CaptureFailure` for a file that cannot be read, or is no capture.
  package convenience init(path: String) throws(CaptureFailure) { try self.init(CaptureFile(path: path)) }

  /// Opens the parts of one recording, the oldest first, to be read as one.
  /// - Throws: `CaptureFailure` where one cannot be read, or does not continue the one before it.
  package convenience init(parts: [String]) throws(CaptureFailure) {
    try CaptureParts.check(parts)
    try self.init(path: parts.first ?? "-")
    followingParts = parts.dropFirst()
  }

  /// Reads a capture that is in memory, under a name for messages.
  package convenience init(name: String, bytes: [UInt8]) throws(CaptureFailure) {
    try self.init(CaptureFile(name: name, bytes: bytes))
  }

  package init(_ file: CaptureFile) throws(CaptureFailure) {
    lines = CaptureLines(file)
    var first: UnsafeRawBufferPointer?
    do throws(CaptureFile.Trouble) {
      repeat { first = try lines.next() } while first.map(Self.isBlank) ?? false
    } catch {
      switch error {
      case .system(let failure): throw failure
      case .damaged(let reason): throw CaptureFailure(.notAJournal, path: file.path, reason: reason)
      }
    }
    guard let first else {
      throw CaptureFailure(
        .notAJournal,
        path: file.path,
        reason: "is empty: expected a journal, whose first line is its header"
      )
    }
    headerLine = Array(first)
    do throws(CaptureHeader.Failure) {
      header = try CaptureHeader(first)
      nextSeq = header.completeFrom
    } catch {
      var failure = CaptureFailure(.notAJournal, path: file.path, reason: error.reason)
      failure.isOfAnotherKind = !error.isJournal
      throw failure
    }
  }

  /// The first line as the simulator began it: without the word that the capture was redacted.
  var plainHeaderLine: [UInt8] {
    guard header.isRedacted, let place = headerLine.firstRange(of: CaptureHeader.redactedMember) else {
      return headerLine
    }
    var line = headerLine
    line.removeSubrange(place)
    return line
  }

  /// The part of the file that has been read, from 0 to 1; nil where its size is not known.
  package var progress: Double? {
    lines.file.size.flatMap { $0 > 0 ? Double(lines.file.position) / Double($0) : nil }
  }

  /// Hands out the next entry; nil at the end or at damage.
  package func next() -> CaptureEntry? { advance() ? present() : nil }

  /// Goes to the next line.
  /// - Returns: true for a notification's line in the simulator's own spelling; nil at the end or at damage.
  @inline(__always)
  func advance(_ notification: inout NotificationLine) -> Bool? {
    guard advance() else { return nil }
    guard !lines.hasEscapes, notification.read(line, &memory) else { return false }
    follow(notification.seq)
    return true
  }

  /// Compares the present line's sequence number with the expected one, once.
  @inline(__always)
  private func follow(_ seq: UInt64) {
    if isFollowed { return }
    isFollowed = true
    if seq != nextSeq { noteGap(before: seq) }
    nextSeq = seq &+ 1
  }

  @inline(never)
  private func noteGap(before seq: UInt64) {
    gapPath = gapPath ?? path
    gaps.add(CaptureGap(line: lines.number, expected: nextSeq, found: seq))
  }

  /// The entry of the present line; nil where that is damaged, and the end.
  func present() -> CaptureEntry? {
    do throws(LineFields.Failure) {
      try fields.read(line)
      return try entry()
    } catch {
      end(.damaged(lines.isTerminated ? error.description : "the file ends within a line (\(error))"))
      return nil
    }
  }

  /// False at the end of the file, or at damage.
  @inline(__always)
  private func advance() -> Bool {
    guard !isAtEnd else { return false }
    do throws(CaptureFile.Trouble) {
      while true {
        guard let found = try lines.next() else {
          if try beginNextPart() { continue }
          isAtEnd = true
          return false
        }
        line = found
        isFollowed = false
        if !Self.isBlank(line) { return true }
      }
    } catch {
      end(error)
      return false
    }
  }

  /// Goes to the next part, after its header; false if there is none.
  private func beginNextPart() throws(CaptureFile.Trouble) -> Bool {
    guard let path = followingParts.popFirst() else { return false }
    do throws(CaptureFailure) {
      lines = try CaptureReader(path: path).lines
      return true
    } catch {
      throw .system(error)
    }
  }

  /// True for a line of white space, as editors leave some.
  @inline(__always)
  private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first <= 0x20 else { return line.isEmpty }
    return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private func end(_ trouble: CaptureFile.Trouble) {
    isAtEnd = true
    let reason =
      switch trouble {
      case .system(let failure): failure.reason
      case .damaged(let reason): reason
      }
    damage = CaptureDamage(path: path, line: lines.number, offset: lines.offset, reason: reason)
    damage?.isCompressed = lines.file.isCompressed
  }

  /// The members of the line that the last entry was read from, until the next one is.
  package func withLine<Result>(_ body: (borrowing LineFields, UnsafeRawBufferPointer) throws -> Result)
    rethrows -> Result
  {
    try body(fields, line)
  }

  // MARK: Entries

  private func entry() throws(LineFields.Failure) -> CaptureEntry {
    guard let name = fields.quoted("event") else { throw Self.missing("event", "a name") }
    guard let text = fields.quoted("time"), let time = memory.clock.read(text) else {
      throw Self.missing("time", "a time such as 2012-06-01T00:00:00.000Z")
    }
    guard let seq = fields.int("seq"), seq > 0 else { throw Self.missing("seq", "a number from 1") }
    var entry = CaptureEntry(time: time, kind: try kind(name))
    entry.seq = UInt64(seq)
    follow(entry.seq)
    if case .bytesOut = entry.kind {
      entry.answer =
        name.hasBytes(of: "feedbackRead")
        ? .feedback : name.hasBytes(of: "errorSent") ? .errorResponse : .other
    }
    entry.line = lines.number
    entry.offset = lines.offset
    return entry
  }

  private func kind(_ name: UnsafeRawBufferPointer) throws(LineFields.Failure) -> CaptureEntry.Kind {
    if name.hasBytes(of: "notification") { return try notification() }
    switch String(decoding: name, as: UTF8.self) {
    case "connectionOpened": return .connectionOpened(try connection())
    case "bytesIn":
      let bytes = try bytes("bytes")
      return .bytesIn(
        try identifier(),
        bytes,
        dropped: max(0, (fields.raw("count") == nil ? 0 : try count()) - bytes.count),
        notification: nil
      )
    case "bytesOut", "errorSent", "feedbackRead": return .bytesOut(try identifier(), try bytes("bytes"))
    case "bytesMissing":
      guard let direction = fields.string("direction").flatMap(CaptureDirection.init(rawValue:)) else {
        throw Self.missing("direction", "in or out")
      }
      return .bytesMissing(try identifier(), direction, count: try count())
    case "framesFound": return .framesFound(try identifier())
    case "captureEnded": return .captureEnded
    case "inputEnded": return .inputEnded(try identifier())
    case "connectionClosed":
      return .connectionClosed(
        try identifier(),
        fields.string("reason").flatMap(ClosingReason.init(rawValue:)) ?? .failed,
        byService: fields.equals("by", "service")
      )
    case "command":
      guard let command = fields.raw("do") else { throw Self.missing("do", "a command") }
      return .command(Array(command))
    case let name where StreamHappening.names.contains(name):
      return .stream(try identifier(), try StreamHappening(name, fields))
    case let other:
      if !Event.names.contains(other) { unknownEvents.count(other) }
      return .other(other)
    }
  }

  private func notification() throws(LineFields.Failure) -> CaptureEntry.Kind {
    guard let number = fields.number("id", after: "n") else { throw Self.missing("id", "a name such as n57") }
    guard let outcome = fields.quoted("outcome").flatMap({ Outcome(String(decoding: $0, as: UTF8.self)) })
    else {
      throw Self.missing("outcome", "one of delivered, stored, …")
    }
    let answer = requestStatus()
    let facts = CapturedNotification(
      number: number,
      outcome: outcome,
      status: answer?.rawValue ?? fields.int("status").flatMap { UInt8(exactly: $0) } ?? 0,
      answer: answer,
      read: fields.int("read").flatMap { UInt32(exactly: $0) } ?? 0
    )
    return .bytesIn(try identifier(), try bytes("raw"), dropped: 0, notification: facts)
  }

  /// The answer to a request; nil for a frame.
  private func requestStatus() -> RequestStatus? {
    guard fields.equals("interface", "http2") else { return nil }
    let status = fields.int("status").flatMap { UInt16(exactly: $0) }
    let reason = fields.string("reason").flatMap { Reason(name: $0) }
    return status.map { RequestStatus(status: $0, reason: reason) } ?? .unanswered
  }

  private func connection() throws(LineFields.Failure) -> CapturedConnection {
    guard let listener = fields.string("listener").flatMap(Listener.init(rawValue:)) else {
      throw Self.missing("listener", "gateway, feedback or device")
    }
    let tls = fields.value("tls")
    var connection = CapturedConnection(
      id: try identifier(),
      listener: listener,
      peer: fields.string("peer") ?? "",
      provider: ProviderIdentity(fields.value("provider") ?? .null),
      tlsVersion: tls?.member("version")?.stringValue ?? "",
      cipher: tls?.member("cipher")?.stringValue ?? "",
      ordinal: fields.int("ordinal").flatMap { UInt32(exactly: $0) } ?? 0
    )
    connection.areAnswersSeen = fields.raw("answersSeen")?.elementsEqual("true".utf8) ?? false
    return connection
  }

  private func identifier() throws(LineFields.Failure) -> ConnectionID {
    guard let number = fields.number("connection", after: "c").flatMap({ UInt32(exactly: $0) }), number > 0
    else {
      throw Self.missing("connection", "a name such as c3")
    }
    return ConnectionID(rawValue: number)
  }

  /// A number of bytes, of which no connection has more.
  private func count() throws(LineFields.Failure) -> Int {
    guard let count = fields.int("count"), (0...1 << 40).contains(count) else {
      throw Self.missing("count", "a number from 0 to 2^40")
    }
    return Int(clamping: count)
  }

  private func bytes(_ key: StaticString) throws(LineFields.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    guard fields.base64(key, into: &bytes) else { throw Self.missing("\(key)", "bytes in Base64") }
    return bytes
  }

  private static func missing(_ key: String, _ expected: String) -> LineFields.Failure {
    LineFields.Failure(description: "expected \"\(key)\" with \(expected)")
  }
}

extension ProviderIdentity {
  /// Reads the provider object of a line; without topics where it has none.
  init(_ value: JSONValue) {
    let topics = value.member("topics")?.arrayValue?.compactMap(\.stringValue)
    self.init(
      topics: topics ?? value.member("topic")?.stringValue.map { [$0] } ?? [],
      environment: value.member("environment")?.stringValue.flatMap(PushEnvironment.init(rawValue:))
        ?? .production,
      subject: value.member("subject")?.stringValue ?? ""
    )
  }
}
