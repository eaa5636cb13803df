package import APNSimCore
import Foundation

/// Turns foreign captures into the entries of a native one, file by file and packet by packet.
package struct CaptureImport {
  /// Reads what a certificate (DER) says of its holder; nil for one that cannot be read.
  package typealias IdentityReader = (_ der: [UInt8]) -> ProviderIdentity?

  private let options: ImportOptions
  private let identity: IdentityReader
  private let progress: (String, Double) -> Void
  private var target: ImportTarget

  /// A provider's bytes as a file are read at once; their frames are at most so long in sum.
  private static let streamLimit = 1 << 30
  private static let hexLimit = 256 << 20

  /// - Parameters:
  ///   - identity: for the certificates of TLS connections.
  ///   - progress: hears the file's name and how much of it has been read, from 0 to 1.
  ///   - write: takes the entries in the order of the capture. Redaction has its place in front of it.
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

  /// Tells by its content what a file is; nil for what cannot be read twice, as stdin and other pipes.
  package static func kind(of path: String) throws(ImportError) -> CaptureKind? {
    CaptureFile.canBeReread(path) ? try CaptureKind.of(CaptureInput(path: path)) : nil
  }

  /// Imports a file behind those before it.
  /// - Throws: `ImportError` for a file that gives nothing, `CaptureFailure` when an entry cannot be written.
  package mutating func read(_ path: String) throws {
    if let kind = options.kind, kind == .journal { return try journal(path) }
    let input = try CaptureInput(path: path)
    let kind = try options.kind ?? CaptureKind.of(input)
    switch kind {
    case .journal where !CaptureFile.canBeReread(path):
      throw ImportError(file: input.name, "is a native capture: give it as a file, or with --from journal")
    case .journal: try journal(path)
    case .raw:
      target.begin(Self.name(path), kind)
      try stream(input.takeAll(limit: Self.streamLimit), path)
    case .hex:
      target.begin(Self.name(path), kind)
      try stream(hex(input)[...], path)
    case .pcap, .pcapng:
      target.begin(Self.name(path), kind)
      try packets(input, path)
    }
  }

  /// Imports a native capture that is the only one: its lines stay as they are, with all that was known of it.
  /// - Parameter write: takes each of them, the first one included, without its newline.
  /// - Throws: `CaptureFailure` for what is no native capture, and when a line cannot be written.
  package mutating func copy(
    _ path: String,
    _ write: (UnsafeRawBufferPointer) throws(CaptureFailure) -> Void
  ) throws {
    let reader = try CaptureReader(path: path)
    target.begin(Self.name(path), .journal)
    try reader.headerLine.withUnsafeBytes { try write($0) }
    try follow(reader, path) { entry, target in
      target.count(entry, topic: reader.topic)
      try reader.withLine { _, line in try write(line) }
    }
  }

  /// What was found in all files.
  package mutating func finish() -> ImportSummary {
    target.finish()
    return target.summary
  }

  /// A file's name without its folder.
  package static func name(_ path: String) -> String {
    path == "-" ? "stdin" : URL(fileURLWithPath: path).lastPathComponent
  }

  // MARK: Streams

  private func hex(_ input: CaptureInput) throws(ImportError) -> [UInt8] {
    let text = try input.takeAll(limit: Self.hexLimit)
    let bytes: [UInt8]
    do throws(HexDump.Problem) {
      bytes = try HexDump.bytes(of: text)
    } catch {
      throw ImportError(
        file: input.name + error.place,
        error.message,
        hints: error.hint.map { [$0] } ?? []
      )
    }
    guard !bytes.isEmpty else { throw ImportError(file: input.name, "is empty") }
    return bytes
  }

  /// One connection on which a provider wrote these bytes; what came back is not known, nor how it ended.
  private mutating func stream(_ bytes: ArraySlice<UInt8>, _ path: String) throws {
    let time = options.start ?? Self.modificationTime(path) ?? Timestamp(seconds: 0)
    let id = ConnectionID(rawValue: 1)
    let opening = StreamConnection(
      listener: .gateway,
      environment: options.environment ?? .production,
      peer: ""
    )
    try target.receive(StreamEvent(time: time, connection: id, kind: .opened(opening)))
    var rest = bytes
    while !rest.isEmpty {
      try target.receive(
        StreamEvent(time: time, connection: id, kind: .bytes(.provider, rest.prefix(Self.piece)))
      )
      rest = rest.dropFirst(Self.piece)
    }
    try target.receive(StreamEvent(time: time, connection: id, kind: .closed(.closed(first: .provider))))
  }

  /// A stream without times or cuts is told in pieces of so many bytes.
  private static let piece = 16 * 1024

  private static func modificationTime(_ path: String) -> Timestamp? {
    guard path != "-" else { return Timestamp(seconds: Int64(Date().timeIntervalSince1970.rounded(.down))) }
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return (facts?[.modificationDate] as? Date).map {
      Timestamp(seconds: Int64($0.timeIntervalSince1970.rounded(.down)))
    }
  }

  private mutating func journal(_ path: String) throws {
    let reader = try CaptureReader(path: path)
    target.begin(Self.name(path), .journal)
    if reader.header.source == nil {
      target.change {
        $0.notes.append(
          "verdicts, settings and scenario of \(Self.name(path)) are left out: captures put together have no common history"
        )
      }
    }
    try follow(reader, path) { entry, target in try target.receive(entry, topic: reader.topic) }
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
    if let damage = reader.damage { target.change { $0.damage.append(damage.description) } }
  }

  // MARK: Packets

  private mutating func packets(_ input: CaptureInput, _ path: String) throws {
    var table = ConversationTable(rules: options.rules, limits: options.limits, acceptsTLS: false)
    var decryption: Decryption?
    let needsSurvey = options.keyLog != nil || (path != "-" && target.summary.files.last?.kind == .pcapng)
    if needsSurvey, path == "-" {
      throw ImportError(.unusable, file: input.name, "TLS is decrypted from a file, not from a pipe")
    }
    let survey = try needsSurvey ? Self.survey(path, options) : nil
    if let survey, options.keyLog != nil || survey.hasKeyLog {
      let ports = survey.tally.tlsPorts.sorted()
      if !ports.isEmpty {
        let tshark = try TShark(path, keyLog: options.keyLog, ports: ports, path: options.searchPath)
        decryption = try Decryption(tshark, identity: identity)
        table = ConversationTable(rules: options.rules, limits: options.limits, acceptsTLS: true)
      } else if options.keyLog != nil {
        target.change { $0.notes.append("there is no TLS in \(Self.name(path)): the key log was not needed") }
      }
    }
    let damages = target.summary.damage.count
    let damage = try follow(input, path, &table, &decryption)
    if let decryption {
      target.change { summary in
        // Where the file is damaged, tshark says the same in other words.
        if let failure = decryption.failure, summary.damage.count == damages {
          summary.damage.append(failure.description)
        }
        summary.decryptedConnections += decryption.decrypted
        summary.undecryptable += decryption.undecryptable
      }
    }
    try check(table.tally, decryption, input, damage)
  }

  /// - Returns: the damage at which reading ended, if it did before the file.
  private mutating func follow(
    _ input: CaptureInput,
    _ path: String,
    _ table: inout ConversationTable,
    _ decryption: inout Decryption?
  ) throws -> ImportError? {
    var damage: ImportError?
    var events: [StreamEvent] = []
    var plain: [StreamEvent] = []
    var fragments = FragmentTable()
    do {
      var reader = try PacketReader(input)
      while let packet = try reader.next() {
        target.countPacket()
        guard let segment = note(fragments.take(PacketContent(packet)), packet) else { continue }
        table.receive(segment, into: &events)
        if decryption != nil {
          try decryption?.pass(events, of: packet, segment, into: &plain)
          swap(&events, &plain)
          plain.removeAll(keepingCapacity: true)
        }
        for event in events { try target.receive(event) }
        events.removeAll(keepingCapacity: true)
        if packet.number % 1024 == 0, let share = input.progress { progress(path, share) }
      }
    } catch let error as ImportError where error.kind == .unreadable && target.hasPackets {
      // What stands before the damage is good.
      damage = error
      target.change { $0.damage.append(error.description) }
    }
    fragments.finish()
    target.change { summary in
      summary.fragments += fragments.leftOver
      summary.reassembledPackets += fragments.completed
    }
    table.finish(into: &events)
    if decryption != nil {
      try decryption?.finish(events, into: &plain)
      swap(&events, &plain)
    }
    for event in events { try target.receive(event) }
    return damage
  }

  private mutating func note(_ content: PacketContent, _ packet: CapturedPacket) -> TCPSegment? {
    switch content {
    case .segment(let segment): return segment
    case .cutShort: target.countCutShort(packet.bytes.count)
    case .unknownLink: target.change { $0.unknownLinks += 1 }
    case .fragment, .other: break
    }
    return nil
  }

  /// Where TLS is spoken in a file, and whether the file brings its keys: what decides how it is read.
  private static func survey(
    _ path: String,
    _ options: ImportOptions
  ) throws(ImportError) -> (tally: StreamTally, hasKeyLog: Bool)? {
    var reader = try PacketReader(CaptureInput(path: path))
    var table = ConversationTable(rules: options.rules, limits: options.limits, acceptsTLS: false)
    var events: [StreamEvent] = []
    var fragments = FragmentTable()
    do throws(ImportError) {
      while let packet = try reader.next() {
        if case .segment(let segment) = fragments.take(PacketContent(packet)) {
          table.receive(segment, into: &events)
        }
        events.removeAll(keepingCapacity: true)
      }
    } catch {
      // The reading that counts comes to the same place and says so.
    }
    return (table.tally, reader.hasKeyLog)
  }

  private mutating func check(
    _ tally: StreamTally,
    _ decryption: Decryption?,
    _ input: CaptureInput,
    _ damage: ImportError?
  ) throws(ImportError) {
    target.change { summary in
      summary.streams.tlsConnections += decryption == nil ? tally.tlsConnections : 0
      summary.streams.otherConnections += tally.otherConnections + (decryption?.otherConnections ?? 0)
      summary.streams.unknownSides += tally.unknownSides
      summary.streams.unfollowed += tally.unfollowed
      summary.streams.strays += tally.strays
      summary.streams.repeatedBytes += tally.repeatedBytes
    }
    guard !target.hasConnections else { return }
    if let decryption, decryption.undecryptable > 0 {
      throw ImportError(
        .unusable,
        file: input.name,
        "the key log has no secrets for the \(tally.tlsConnections) TLS connections of the capture",
        hints: [
          "the log must be of these very connections: SSLKEYLOGFILE=KEYS set for the provider or for apnsim serve"
        ]
      )
    }
    if decryption == nil, tally.tlsConnections > 0 {
      throw ImportError(
        .unusable,
        file: input.name,
        "the connections are TLS (\(tally.tlsConnections) of them), where plaintext was expected",
        hints: [
          "--keylog FILE decrypts them; the file is what SSLKEYLOGFILE names for the provider or for apnsim serve"
        ]
      )
    }
    if tally.unknownSides > 0 {
      throw ImportError(
        .unusable,
        file: input.name,
        """
        nothing tells which side is the gateway: the capture begins inside its \(tally.unknownSides) connections \
        and none is on port 2195, 2196, 2295 or 2296
        """,
        hints: ["--port N says on which port the gateway listened, --feedback-port N the feedback service"]
      )
    }
    let packets = target.summary.files.last?.packets ?? 0
    if let file = target.summary.files.last, file.cutShort > 0 {
      throw ImportError(
        .unusable,
        file: input.name,
        """
        \(file.cutShort) of its \(packets) packets end before their TCP headers do: the capture kept \
        \(file.snapLength) bytes of each (the snap length)
        """,
        hints: ["tcpdump -s 0 keeps packets whole"]
      )
    }
    let isForeign = packets > 0 && target.summary.unknownLinks == packets
    if var damage, !isForeign {
      damage.message += "; before it there is no connection to a gateway or feedback service"
      throw damage
    }
    throw ImportError(
      .unusable,
      file: input.name,
      isForeign
        ? "its link type is not understood; expected \(LinkType.understood)"
        : "has no connection to a gateway or feedback service among its \(packets) packets",
      hints: ["--port N says on which port the gateway listened"]
    )
  }
}
