import APNSimGzip
import APNSimSystem
import APNSimWire
import SystemPackage

/// Opens the file of a recording: locked while it is written to, and in place of nothing but a recording.
///
/// The lock (`flock`) belongs to the open file, so it goes with the process, however that ends. Pipes and devices are
/// neither locked nor looked at.
struct RecordingPlace {
  /// The handling of a recording that is there already.
  enum Present {
    /// One with a notification becomes `NAME.previous`, in place of the one before it; any other is emptied.
    case movedAside
    case emptied
  }

  let path: String
  let present: Present
  /// Nil where nothing goes on in a recording that is there.
  private let continuation: RecordingContinuation?
  private(set) var remark: String?
  /// The end of the recording that is continued; nil for one that begins.
  private(set) var end: RecordingEnd?

  init(_ path: String, _ present: Present, _ continuation: RecordingContinuation? = nil) {
    (self.path, self.present, self.continuation) = (path, present, continuation)
  }

  /// True for a regular file and for one that does not exist yet; false for pipes, devices and the standard output.
  static func canBeReopened(_ path: String) -> Bool {
    path != "-" && SystemPath.facts(path)?.isRegular != false
  }

  var previous: String { path + ".previous" }

  /// Another process may move the file aside between the opening and the lock.
  private static let attempts = 10

  /// - Parameter continues: true for the next part of a recording, which only a regular file can have: to open a pipe is
  ///   to wait for its reader.
  /// - Throws: the reason why the file cannot be made, is in use, or must not be replaced.
  mutating func open(continues: Bool = false) throws(OutputFailure) -> SystemFile {
    for _ in 0..<Self.attempts {
      if SystemPath.facts(path)?.isRegular == false {
        guard !continues else {
          throw failure("a regular file was expected, found a pipe, a device or a directory")
        }
        // A pipe or a device, which is neither read nor locked.
        return try OutputFailure.naming(path) { () throws(SystemError) in
          try SystemFile(path, .writeOnly, [.create, .truncate], mode: 0o644)
        }
      }
      let file = try SystemFile.recorded(at: path)
      guard file.lockIfPossible() else {
        throw failure("another process is recording to it\(file.lockHolder)", isInUse: true)
      }
      guard file.isInPlace() else { continue }
      switch RecordingContent(file) {
      case .nothing: return file
      case .something:
        throw failure(
          "it is not a recording, and nothing else is replaced; choose another name, or remove it"
        )
      case .recording(let hasNotifications):
        if resume(file) { return file }
        guard hasNotifications, present == .movedAside else {
          file.truncate(to: 0)
          return file
        }
        try moveAside()
      }
    }
    throw failure("other processes keep making it anew", isInUse: true)
  }

  /// Makes a recording ready to be continued, where what is about to be recorded goes on in it: what is after its last
  /// whole line is cut, and a compressed text is ended there.
  private mutating func resume(_ file: SystemFile) -> Bool {
    guard let continuation, let end = RecordingEnd(file, isCompressed: path.hasSuffix(".gz")),
      continuation.goesOn(end)
    else { return false }
    if end.cutCount > 0 { file.truncate(to: end.byteCount) }
    if let failure = end.ending.withUnsafeBytes({ file.store($0, at: end.byteCount) }) {
      file.truncate(to: end.byteCount)
      remark = "\(failure)"
      return false
    }
    self.end = end
    remark =
      "\(path): the recording goes on in it, from event \(end.seq + 1) on"
      + (end.cutCount > 0
        ? "; \(end.cutCount) bytes after its last whole line were cut" : "")
    return true
  }

  /// Renames the recording; whoever opens the path next makes a new file.
  private mutating func moveAside() throws(OutputFailure) {
    if let facts = SystemPath.facts(previous, followsLinks: false) {
      guard facts.isRegular, let old = try? SystemFile.recorded(at: previous) else {
        throw failure("the recording that is there cannot become \(previous), which is not a recording")
      }
      guard old.lockIfPossible() else {
        throw failure(
          "the recording that is there cannot become \(previous): another process is recording to that",
          isInUse: true
        )
      }
      if case .something = RecordingContent(old) {
        throw failure("the recording that is there cannot become \(previous), which is not a recording")
      }
    }
    do throws(SystemError) {
      try SystemPath.move(path, to: previous)
    } catch {
      throw failure("the recording that is there cannot become \(previous): \(error.reason)")
    }
    remark = "\(path): the recording that was there is \(previous) now, the only one that is kept"
  }

  private func failure(_ reason: String, isInUse: Bool = false) -> OutputFailure {
    OutputFailure(path: path, reason: reason, isInUse: isInUse)
  }
}

/// The content of a file that a recording is to replace.
enum RecordingContent: Equatable {
  case nothing
  case recording(hasNotifications: Bool)
  /// Anything else, which is not ours to replace.
  case something

  private static let beginning = Array(#"{"apnsim":"journal""#.utf8)
  /// The beginning of a header, which is left at least where one was cut off.
  private static let name = Array(#"{"apnsim""#.utf8)
  private static let notification = Array(#""event":"notification""#.utf8)
  /// The number of bytes of text after which a recording counts as one with notifications.
  private static let mostLooked = 64 << 20

  init(_ file: SystemFile) {
    var text = RecordingText(file)
    guard var piece = text.next() else {
      // A killed process leaves the beginning of a compressed file, in which there is no text yet; one that is whole, or
      // damaged, is somebody else's.
      let isEmpty = file.knownByteCount == 0
      self = isEmpty ? .nothing : text.isCutShort ? .recording(hasNotifications: false) : .something
      return
    }
    guard Self.isBeginning(piece) else {
      self = .something
      return
    }
    var looked = piece.count
    while !Self.hasNotification(piece) {
      guard looked < Self.mostLooked else { break }
      guard let more = text.next() else {
        self = .recording(hasNotifications: false)
        return
      }
      looked += more.count
      piece = piece.suffix(Self.notification.count - 1) + more
    }
    self = .recording(hasNotifications: true)
  }

  /// True for a recording of a server or the beginning of one, plain or compressed, also as other programs write it
  /// again: with a byte order mark, in UTF-16, after empty lines, with spaces in the header. What an import makes is
  /// none.
  static func isRecording(_ file: SystemFile) -> Bool {
    var text = RecordingText(file)
    guard let piece = text.next() else { return file.knownByteCount > 0 && text.isCutShort }
    let start = KeptContent.utf8(piece).drop(while: KeptContent.isBlank)
    let line = start.prefix { $0 != 0x0A && $0 != 0x0D }
    if let header = try? JSONValue.parse(line), header.objectValue != nil {
      return header.member("apnsim")?.stringValue == "journal" && header.member("source") == nil
    }
    // A header that is cut off, or in several lines.
    let members = start.prefix(4_096).filter { !KeptContent.isBlank($0) }
    return isBeginning(members) && members.firstRange(of: Array(#","source":"#.utf8)) == nil
  }

  private static func isBeginning(_ piece: [UInt8]) -> Bool {
    piece.starts(with: beginning) || piece.starts(with: name) && beginning.starts(with: piece)
  }

  private static func hasNotification(_ piece: [UInt8]) -> Bool {
    piece.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = rest.firstIndex(of: notification[0]) {
        if bytes[start...].starts(with: notification) { return true }
        rest = bytes[(start + 1)...]
      }
      return false
    }
  }
}

/// The text of a recording, piece by piece, inflated where it is compressed.
private struct RecordingText {
  private let file: SystemFile
  private var inflater: GzipInflater?
  private var offset: Int64 = 0
  private var chunk = [UInt8](repeating: 0, count: 65_536)
  private var input: ArraySlice<UInt8> = []

  /// True for a compressed text that ends within its first member, with nothing wrong until there.
  var isCutShort: Bool { inflater.map { !$0.isAtEnd && !isDamaged } ?? false }
  private var isDamaged = false

  init(_ file: SystemFile) {
    self.file = file
    if file.look(into: &chunk, at: 0) >= 2, chunk.starts(with: GzipInflater.magic) {
      inflater = try? GzipInflater()
    }
  }

  /// The next bytes; nil at the end, or where nothing more can be inflated.
  mutating func next() -> [UInt8]? {
    guard let inflater else { return read().map { Array($0) } }
    var output = [UInt8](repeating: 0, count: 65_536)
    while true {
      if input.isEmpty {
        guard let more = read() else { return nil }
        input = more
      }
      let step = input.withUnsafeBytes { bytes in
        output.withUnsafeMutableBytes { try? inflater.inflate(bytes, into: $0) }
      }
      guard let step, step.consumed > 0 || step.produced > 0 else {
        isDamaged = step == nil
        return nil
      }
      input = input.dropFirst(step.consumed)
      if step.produced > 0 { return Array(output.prefix(step.produced)) }
    }
  }

  private mutating func read() -> ArraySlice<UInt8>? {
    let count = file.look(into: &chunk, at: offset)
    guard count > 0 else { return nil }
    offset += Int64(count)
    return chunk[..<count]
  }
}
