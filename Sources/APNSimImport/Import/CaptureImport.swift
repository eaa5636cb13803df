package import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Turns foreign captures into the entries of a native one, file by file and packet by packet.
package struct CaptureImport {
  let options: ImportOptions
  let identity: IdentityReader
  let progress: (String, Double) -> Void
  var target: ImportTarget
  /// Pipes whose beginnings were read for format detection.
  private var opened: [String: CaptureInput] = [:]

  /// The most bytes of a provider's stream in a file, which is read at once.
  private static let streamLimit = 1 << 30
  private static let hexLimit = 256 << 20

  /// - Parameters:
  ///   - identity: for the certificates of TLS connections.
  ///   - progress: gets the file's name and the part of it that was read, from 0 to 1.
  ///   - write: takes the entries in the order of the capture. Redaction, if any, is done by it.
  package init(
    _ options: ImportOptions,
    identity: @escaping IdentityReader,
    progress: @escaping (String, Double) -> Void = { _, _ in },
    write: @escaping (CaptureEntry) throws(CaptureFailure) -> Void
  ) {
    self.options = options
    self.identity = identity
    self.progress = progress
    target = ImportTarget(options, write)
  }

  /// Detects a file's kind by its content. A pipe, which cannot be read twice, is kept for ``read(_:)`` with the bytes
  /// that were read.
  package mutating func kind(of path: String) throws(ImportError) -> CaptureKind {
    let input = try input(path)
    if !CaptureFile.canBeReread(path) { opened[path] = input }
    return try CaptureKind.of(input)
  }

  private mutating func input(_ path: String) throws(ImportError) -> CaptureInput {
    if let input = opened.removeValue(forKey: path) { return input }
    return try CaptureInput(path: path)
  }

  /// Imports files in their order. A packet capture that continues connections of the one before it is a part of it.
  /// - Throws: `ImportError` for a file without importable traffic, `CaptureFailure` when an entry cannot be written.
  package mutating func read(_ paths: [String]) throws {
    var rest = paths[...]
    while let path = rest.popFirst() {
      var parts = [path]
      var open = rest.isEmpty ? nil : connections(at: path)?.open
      while let before = open, !before.isEmpty, let next = rest.first, let found = connections(at: next),
        !found.joined.isDisjoint(with: before)
      {
        parts.append(next)
        rest.removeFirst()
        // A connection that a part does not show may go on after it.
        open = found.open.union(before.subtracting(found.seen))
      }
      if parts.count > 1 { try readParts(parts) } else { try read(path) }
    }
  }

  private mutating func readParts(_ paths: [String]) throws {
    let input = try input(paths[0])
    target.begin(Self.name(paths[0]), try options.kind ?? CaptureKind.of(input))
    try packets(input, paths)
  }

  /// The connections that are open at a capture's end, those that began before it, and all; nil for other files.
  private func connections(
    at path: String
  ) -> (open: Set<Conversation.Key>, joined: Set<Conversation.Key>, seen: Set<Conversation.Key>)? {
    guard CaptureFile.canBeReread(path), var reading = try? StreamReading([path], options) else { return nil }
    while reading.next() {}
    return (reading.open, reading.joined, reading.seen)
  }

  /// `cap, cap1, cap2`
  static func names(_ paths: [String]) -> String { paths.map(name).joined(separator: ", ") }

  /// Imports a file, after those before it.
  /// - Throws: `ImportError` for a file without importable traffic, `CaptureFailure` when an entry cannot be written.
  package mutating func read(_ path: String) throws {
    if let kind = options.kind, kind == .journal { return try journal(path) }
    let input = try input(path)
    let kind = try options.kind ?? CaptureKind.of(input)
    switch kind {
    case .journal:
      opened[path] = input
      try journal(path)
    case .raw:
      target.begin(Self.name(path), kind)
      try stream([(.provider, input.takeAll(limit: Self.streamLimit))], path)
    case .hex:
      target.begin(Self.name(path), kind)
      try stream(hex(input), path)
    case .har:
      target.begin(Self.name(path), kind)
      try archive(input)
    case .pcap, .pcapng:
      target.begin(Self.name(path), kind)
      try packets(input, [path])
    }
  }

  /// Imports a native capture that is the only file: its lines stay as they are, its header included.
  /// - Parameter write: takes each of them, the first one included, without its newline.
  /// - Throws: `CaptureFailure` for a file that is no native capture, and when a line cannot be written.
  package mutating func copy(
    _ path: String,
    _ write: (UnsafeRawBufferPointer) throws(CaptureFailure) -> Void
  ) throws {
    let reader = try reader(path)
    target.begin(Self.name(path), .journal)
    try reader.headerLine.withUnsafeBytes { try write($0) }
    var streams = RecordedStreams()
    try follow(reader, path) { entry, target in
      if let (id, happenings) = streams.take(entry, in: reader) {
        for happening in happenings {
          target.count(CaptureEntry(time: entry.time, kind: .stream(id, happening)))
        }
      } else {
        target.count(entry, topic: reader.topic)
      }
      try reader.withLine { _, line in try write(line) }
    }
  }

  /// Ends the import and returns the summary of all files.
  package mutating func finish() -> ImportSummary {
    target.finish()
    return target.summary
  }

  /// A file's name without its folder.
  package static func name(_ path: String) -> String {
    path == "-" ? "stdin" : URL(fileURLWithPath: path).lastPathComponent
  }

  // MARK: Streams

  private func hex(_ input: CaptureInput) throws(ImportError) -> [(StreamEvent.Side, ArraySlice<UInt8>)] {
    let text = try input.takeAll(limit: Self.hexLimit)
    let pieces: [HexDump.Piece]
    do throws(HexDump.Failure) {
      pieces = try HexDump.pieces(of: text)
    } catch {
      throw ImportError(
        file: input.name + error.place,
        error.message,
        hints: error.hint.map { [$0] } ?? []
      )
    }
    guard pieces.contains(where: { !$0.bytes.isEmpty }) else {
      throw ImportError(file: input.name, "is empty")
    }
    return pieces.map { ($0.isIndented ? .service : .provider, $0.bytes[...]) }
  }

  /// Emits one connection on which these bytes were written; without answers among them, those and its end are not
  /// known.
  private mutating func stream(_ pieces: [(side: StreamEvent.Side, bytes: ArraySlice<UInt8>)], _ path: String)
    throws
  {
    let time = options.start ?? Self.modificationTime(path) ?? Timestamp(seconds: 0)
    let id = ConnectionID(rawValue: 1)
    var opening = StreamConnection(
      listener: .gateway,
      environment: options.environment ?? .production,
      peer: ""
    )
    opening.areAnswersSeen = pieces.contains { $0.side == .service }
    try target.receive(StreamEvent(time: time, connection: id, kind: .opened(opening)))
    for piece in pieces {
      var rest = piece.bytes
      while !rest.isEmpty {
        try target.receive(
          StreamEvent(time: time, connection: id, kind: .bytes(piece.side, rest.prefix(Self.piece)))
        )
        rest = rest.dropFirst(Self.piece)
      }
    }
    try target.receive(StreamEvent(time: time, connection: id, kind: .closed(.closed(first: .provider))))
  }

  /// The size of the pieces in which a stream without times or cuts is emitted.
  private static let piece = 16 * 1024

  private static func modificationTime(_ path: String) -> Timestamp? {
    guard path != "-" else { return Timestamp(seconds: Timestamp.now.seconds) }
    // Foundation's attributes of a file have its owner's name, for which another process may be asked.
    return SystemPath.facts(path).map { Timestamp(seconds: $0.modified.seconds) }
  }

  private mutating func reader(_ path: String) throws(CaptureFailure) -> CaptureReader {
    guard let file = opened.removeValue(forKey: path)?.rewound() else { return try CaptureReader(path: path) }
    return try CaptureReader(file)
  }

  private mutating func journal(_ path: String) throws {
    let reader = try reader(path)
    target.begin(Self.name(path), .journal)
    if reader.header.source == nil {
      target.change {
        $0.notes.append(
          "verdicts, settings and scenario of \(Self.name(path)) are left out: captures put together have no common history"
        )
      }
    }
    // A simulator's journal has everything that was sent, so that its silence is known as long as it goes on.
    let isRecording = reader.header.source == nil
    var end: Timestamp?
    var streams = RecordedStreams()
    try follow(reader, path) { entry, target in
      var entry = entry
      if isRecording, case .connectionOpened(var connection) = entry.kind {
        connection.areAnswersSeen = connection.listener != .device
        entry.kind = .connectionOpened(connection)
      }
      end = entry.time
      guard let (id, happenings) = streams.take(entry, in: reader) else {
        return try target.receive(entry, topic: reader.topic)
      }
      for happening in happenings {
        try target.receive(CaptureEntry(time: entry.time, kind: .stream(id, happening)))
      }
    }
    guard let end else { return }
    if isRecording {
      try target.receive(CaptureEntry(time: end, kind: .captureEnded))
    } else {
      try target.endEntries(at: end)
    }
  }

  private mutating func follow(
    _ reader: CaptureReader,
    _ path: String,
    _ take: (CaptureEntry, inout ImportTarget) throws -> Void
  ) throws {
    var count = 0
    while let entry = reader.next() {
      try take(entry, &target)
      count += 1
      if count % 1024 == 0, let share = reader.progress { progress(path, share) }
    }
    if let gaps = reader.gaps.placedText {
      let note = "\(Self.name(path)): \(gaps): a frame that was cut there is put together wrongly"
      target.change { $0.notes.append(note) }
    }
    if let damage = reader.damage { target.change { $0.damage.append(damage.description) } }
  }
}
