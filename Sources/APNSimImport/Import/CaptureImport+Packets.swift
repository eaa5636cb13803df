import APNSimCapture
import APNSimCore
import APNSimScenario

/// Packet captures: reassembly of their streams, and decryption with a key log.
extension CaptureImport {
  /// - Parameters:
  ///   - input: the first file.
  ///   - paths: all files of the capture.
  mutating func packets(_ input: CaptureInput, _ paths: [String]) throws {
    var decryption: Decryption?
    let isFile = paths.allSatisfy(CaptureFile.canBeReread)
    if options.keyLog != nil, !isFile {
      throw ImportError(.unusable, file: input.name, "TLS is decrypted from a file, not from a pipe")
    }
    let survey = try isFile ? survey(paths) : nil
    if let survey, options.keyLog != nil || survey.hasKeyLog {
      if survey.tally.tlsConnections > 0 {
        decryption = try decrypt(paths, survey.connections)
      } else if options.keyLog != nil, !survey.isCut, survey.tally.proxied == 0 {
        target.change {
          $0.notes.append("there is no TLS in \(Self.names(paths)): the key log was not needed")
        }
      }
    }
    let foreseen = decryption == nil ? survey?.connections.plaintext : survey?.connections
    var table = ConversationTable(
      rules: options.rules,
      limits: options.limits,
      acceptsTLS: decryption != nil,
      foreseen: foreseen ?? ForeseenConnections()
    )
    let damage = try follow(input, paths, &table, &decryption)
    if let decryption {
      target.change { summary in
        if let failure = decryption.failure { summary.damage.append(failure.description) }
        summary.decryptedConnections += decryption.decrypted
        summary.undecryptable += decryption.undecryptable
        summary.withoutHandshake += decryption.withoutHandshake
      }
    }
    try check(table.tally, decryption, input, damage)
  }

  /// - Returns: the damage at which reading ended, if it did before the file.
  private mutating func follow(
    _ input: CaptureInput,
    _ paths: [String],
    _ table: inout ConversationTable,
    _ decryption: inout Decryption?
  ) throws -> ImportError? {
    var damage: ImportError?
    var events: [StreamEvent] = []
    var plain: [StreamEvent] = []
    var fragments = FragmentTable()
    var end = Timestamp(rawValue: .min)
    do {
      var reader = try PacketParts(input, then: paths.dropFirst())
      var part = 0
      while let packet = try reader.next() {
        while part < reader.part {
          part += 1
          target.beginPart(Self.name(paths[part]))
        }
        target.countPacket()
        end = max(end, packet.time)
        guard let segment = note(fragments.take(PacketContent(packet)), packet) else { continue }
        table.receive(segment, into: &events)
        if decryption != nil {
          try decryption?.pass(events, of: segment, into: &plain)
          swap(&events, &plain)
          plain.removeAll(keepingCapacity: true)
        }
        for event in events {
          try target.receive(event)
        }
        events.removeAll(keepingCapacity: true)
        if packet.number % 1024 == 0, let share = reader.progress {
          progress(paths[part], decryption == nil ? share : Self.shareOfDecryption * (1 - share) + share)
        }
      }
    } catch let error as ImportError where error.kind == .unreadable && target.hasPackets {
      // The packets before the damage are good.
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
    try target.end(at: end)
    return damage
  }

  private mutating func note(_ content: PacketContent, _ packet: CapturedPacket) -> TCPSegment? {
    switch content {
    case .segment(let segment):
      if segment.cutOff > 0 {
        target.countCut(packet.bytes.count, inData: true, keepsData: !segment.payload.isEmpty)
      }
      return segment
    case .cutShort: target.countCut(packet.bytes.count, inData: false)
    case .encapsulated(let name): target.change { $0.encapsulations[name, default: 0] += 1 }
    case .unknownLink: target.change { $0.addUnknownLink(packet.link) }
    case .fragment, .other: break
    }
    return nil
  }

  /// The result of a first reading: the connections, TLS among them, and whether the file has a key log and packets
  /// that were cut.
  private func survey(
    _ paths: [String]
  ) throws(ImportError) -> (
    connections: ForeseenConnections, tally: StreamTally, hasKeyLog: Bool, isCut: Bool
  ) {
    var reading = try StreamReading(paths, options)
    var connections = ForeseenConnections()
    var isCut = false
    while reading.next() {
      for event in reading.events { connections.add(event) }
      if let segment = reading.segment, segment.cutOff > 0 { isCut = true }
    }
    return (connections, reading.tally, reading.hasKeyLog, isCut)
  }

  /// The part of the progress for one reading: reading takes much less time than decrypting.
  private static let shareOfDecryption = 0.9

  /// Decrypts TLS, with a further reading that finds the connections and the events in their plaintext.
  private func decrypt(
    _ paths: [String],
    _ connections: ForeseenConnections
  ) throws(ImportError) -> Decryption {
    // tshark takes UTF-8 without a mark only; in another form, the secrets go into its input.
    let keys = try options.keyLog.flatMap { keyLog throws(ImportError) in try Self.converted(keyLog) }
    let tshark = try TShark(
      paths.first ?? "",
      keyLog: keys == nil ? options.keyLog : nil,
      path: options.searchPath
    )
    try transcribe(paths, connections, keys ?? [], to: tshark)
    var decryption = Decryption(tshark, identity: identity)
    var decrypted = ForeseenConnections()
    var reading = try StreamReading(paths, options, foreseen: connections)
    var plain: [StreamEvent] = []
    while reading.next() {
      if let segment = reading.segment {
        try decryption.pass(reading.events, of: segment, into: &plain)
      } else {
        try decryption.finish(reading.events, into: &plain)
      }
      for event in plain {
        if case .opened(let connection) = event.kind, connection.isTLS { decrypted.add(event) }
      }
      plain.removeAll(keepingCapacity: true)
    }
    tshark.rewind()
    return Decryption(tshark, identity: identity, foreseen: decrypted)
  }

  /// Gives tshark the capture's TLS streams.
  private func transcribe(
    _ paths: [String],
    _ connections: ForeseenConnections,
    _ keys: [UInt8],
    to tshark: TShark
  ) throws(ImportError) {
    var reading = try StreamReading(paths, options, foreseen: connections)
    var transcript = TLSTranscript()
    var file = PcapngWriter(application: "apnsim", comment: "the TLS streams of \(Self.names(paths))")
    if !keys.isEmpty { file.add(keyLog: keys) }
    var segments = 0
    while reading.next() {
      let keyLog = reading.takeKeyLog()
      if !keyLog.isEmpty { file.add(keyLog: keyLog) }
      for event in reading.events {
        transcript.add(event) { file.add($0.bytes, at: $0.time) }
      }
      if file.bytes.count > Self.feedSize { try tshark.feed(file.takeBytes()) }
      segments += 1
      if segments % 1024 == 0 { progress(paths.first ?? "", reading.progress * Self.shareOfDecryption) }
    }
    try tshark.feed(file.takeBytes())
    try tshark.finish()
  }

  private static let feedSize = 64 * 1024

  /// A key log that an editor has saved with a byte order mark, or in UTF-16, as plain UTF-8; nil for any other.
  private static func converted(_ path: String) throws(ImportError) -> [UInt8]? {
    // One that cannot be read is tshark's to tell.
    guard let input = try? CaptureInput(path: path), let start = try? input.peek(3),
      ByteOrderMark.begins(start)
    else { return nil }
    let text = try input.takeAll(limit: keyLogLimit)
    return ByteOrderMark.utf8(of: text) ?? Array(ByteOrderMark.removed(from: text))
  }

  private static let keyLogLimit = 256 << 20

  /// Counts what was read, and says why where nothing of it is of use.
  private mutating func check(
    _ tally: StreamTally,
    _ decryption: Decryption?,
    _ input: CaptureInput,
    _ damage: ImportError?
  ) throws(ImportError) {
    note(tally, decryption)
    if let refusal = cutInside() { throw refusal.error(in: input.name) }
    guard !target.hasConnections else { return }
    let refusal =
      decryption.flatMap { undecrypted($0) } ?? encrypted(tally, isDecrypted: decryption != nil)
      ?? proxied(tally) ?? withoutSide(tally) ?? cutShort()
    if let refusal { throw refusal.error(in: input.name) }
    throw withoutConnection(input, damage)
  }

  private mutating func note(_ tally: StreamTally, _ decryption: Decryption?) {
    target.change { summary in
      summary.streams.tlsConnections += decryption == nil ? tally.tlsConnections : 0
      summary.streams.proxied += tally.proxied
      if summary.streams.proxiedTo.isEmpty { summary.streams.proxiedTo = tally.proxiedTo }
      summary.streams.otherConnections += tally.otherConnections + (decryption?.otherConnections ?? 0)
      summary.streams.unknownSides += tally.unknownSides
      summary.streams.unfollowed += tally.unfollowed
      summary.streams.strays += tally.strays
      summary.streams.lateBytes += tally.lateBytes
      summary.streams.repeatedBytes += tally.repeatedBytes
    }
  }
}

// MARK: Captures of no use

/// The reason why a capture is of no use, and a hint that helps.
private struct Refusal {
  var message: String
  var hint: String

  func error(in file: String) -> ImportError {
    ImportError(.unusable, file: file, message, hints: [hint])
  }
}

extension CaptureImport {
  /// An export has what is missing from a native capture as packets without data: those are read as a gap.
  private func cutInside() -> Refusal? {
    guard let file = target.present, file.cutData > 0, !target.hasReadAnything,
      file.keepsData || file.kind == .pcap || options.keyLog != nil
    else { return nil }
    return Refusal(
      message: """
        \(file.cutData) of \(file.packets.counted("packet")) are cut inside their data: the capture kept at most \
        \(file.snapLength) bytes of each (the snap length), and nothing whole is left to import
        """,
      hint: "tcpdump -s 0 keeps packets whole"
    )
  }

  private func undecrypted(_ decryption: Decryption) -> Refusal? {
    if decryption.undecryptable > 0 {
      return Refusal(
        message:
          "the key log has no secrets for \(decryption.undecryptable.counted("TLS connection")) of the capture",
        hint:
          "the log must be of these very connections: SSLKEYLOGFILE=KEYS set for the provider or for apnsim serve"
      )
    }
    guard decryption.withoutHandshake > 0 else { return nil }
    return Refusal(
      message: """
        the handshakes of \(decryption.withoutHandshake.counted("TLS connection")) are not whole in the capture: \
        without both hellos the key log cannot be searched for their secrets
        """,
      hint: "the capture must begin before the connections do, and keep packets whole: tcpdump -s 0"
    )
  }

  private func encrypted(_ tally: StreamTally, isDecrypted: Bool) -> Refusal? {
    guard !isDecrypted, tally.tlsConnections > 0 else { return nil }
    return Refusal(
      message: "plaintext was expected, found \(tally.tlsConnections.counted("TLS connection"))",
      hint:
        "--keylog FILE decrypts them; the file is what SSLKEYLOGFILE names for the provider or for apnsim serve"
    )
  }

  private func proxied(_ tally: StreamTally) -> Refusal? {
    guard tally.proxied > 0 else { return nil }
    let found = "\(tally.proxied.counted("connection")) through a proxy (CONNECT \(tally.proxiedTo))"
    return Refusal(
      message: "a connection to the service was expected, found \(found): the TLS inside is not read",
      hint:
        "capture between the proxy and the service, or save what the provider sends as an HTTP archive (HAR)"
    )
  }

  private func withoutSide(_ tally: StreamTally) -> Refusal? {
    guard tally.unknownSides > 0 else { return nil }
    return Refusal(
      message: """
        nothing tells which side is the gateway: the capture begins inside \
        \(tally.unknownSides.counted("connection")), and no port is 2195, 2196, 2295 or 2296
        """,
      hint: "--port N says on which port the gateway listened, --feedback-port N the feedback service"
    )
  }

  private func cutShort() -> Refusal? {
    guard let file = target.present, file.cutShort > 0 else { return nil }
    return Refusal(
      message: """
        \(file.cutShort) of \(file.packets.counted("packet")) cut off before the end of the TCP header: the capture \
        kept at most \(file.snapLength) bytes of each (the snap length)
        """,
      hint: "tcpdump -s 0 keeps packets whole"
    )
  }

  private func withoutConnection(_ input: CaptureInput, _ damage: ImportError?) -> ImportError {
    let packets = target.present?.packets ?? 0
    guard packets > 0 else {
      return damage
        ?? ImportError(.unusable, file: input.name, "a capture with packets was expected, found none")
    }
    let isForeign = target.summary.unknownLinks == packets
    let carried = target.summary.encapsulationText
    if var damage, !isForeign {
      damage.message += "; before it there is no connection to a gateway or feedback service"
      return damage
    }
    return ImportError(
      .unusable,
      file: input.name,
      isForeign
        ? "link type \(target.summary.unknownLinkText) is not understood; expected \(LinkType.understood)"
        : "has no connection to a gateway or feedback service in \(packets.counted("packet"))"
          + (carried.isEmpty ? "" : "; packets inside others that are not taken apart: \(carried)"),
      hints: isForeign ? [] : ["--port N says on which port the gateway listened"]
    )
  }
}
