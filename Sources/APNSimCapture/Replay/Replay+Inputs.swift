import APNSimCore
import APNSimScenario
import APNSimWire

/// The effects of each line of a capture.
extension Replay {
  /// - Parameter command: the entry's command as it was read; nil where it has none.
  func play(_ entry: CaptureEntry, _ command: Result<Command, CommandReader.Mistake>?) {
    result.commands.settle(before: entry)
    switch entry.kind {
    case .bytesIn(let id, let bytes, let dropped, let notification):
      receive(bytes, dropped, notification, from: id, entry)
    case .bytesOut(let id, let bytes): answered(bytes, entry.answer, on: id, at: entry.time)
    case .connectionOpened(let connection):
      flush()
      open(connection, entry)
    case .connectionClosed(let id, let reason, let byService):
      flush()
      close(id, reason, byService: byService, entry)
    case .bytesMissing(let id, let direction, let count):
      flush()
      note(missing: count, direction)
      switch direction {
      case .in: connections[id]?.sides.gaps.insert(.input)
      case .out: connections[id]?.sides.gaps.insert(.answers)
      }
    case .framesFound(let id):
      flush()
      resume(id, at: entry)
    case .stream(let id, let happening):
      flush()
      play(happening, on: id, entry)
    case .captureEnded: flush()
    case .inputEnded(let id):
      flush()
      guard let connection = connections[id], case .gateway(let gateway) = connection.door else { return }
      takeVerdicts(gateway.inputEnded(at: wall(entry)), of: connection, at: entry.time)
    case .command:
      flush()
      if let command { perform(command, entry) }
    case .other("faultFired"):
      strikeAfterBytes(entry)
      noteRecordedReset()
    case .other(let name): if entry.isInput { other(name, entry) }
    }
  }

  /// A fault struck after so many bytes of a connection of requests. The capture has requests and no bytes: the fault is
  /// an input there.
  private func strikeAfterBytes(_ entry: CaptureEntry) {
    let (id, isOfRequest) = source.withFields { fields in
      (fields.string("connection").flatMap { ConnectionID($0) }, fields.int("stream") != nil)
    }
    guard !isOfRequest, let id, case .http2(let requests)? = connections[id]?.door, requests.countsBytes
    else {
      return
    }
    _ = requests.strikeAfterBytes(at: wall(entry))
  }

  func wall(_ entry: CaptureEntry) -> Timestamp { wall(reaching: entry.time) }

  /// Advances the simulator to a moment of the capture and returns the wall time of it. Where journals are compared, they
  /// have the moments of everything due on the way.
  func wall(reaching time: Timestamp) -> Timestamp {
    clock.wall(reaching: time, inSteps: !comparison.comparesJournal)
  }

  /// The command of an entry, or its mistake; nil for what is no command.
  func command(of entry: CaptureEntry) -> Result<Command, CommandReader.Mistake>? {
    guard case .command(let json) = entry.kind else { return nil }
    return Result { () throws(CommandReader.Mistake) in try CommandReader.read(json) }
  }

  /// A part of the run ends.
  func noteNewBeginning() {
    flush()
    result.endedParts += 1
    result.notificationsOfEndedParts += UInt64(simulator.numbers.count)
  }

  private func perform(_ read: Result<Command, CommandReader.Mistake>, _ entry: CaptureEntry) {
    let recordedWall = source.withFields { $0.time("wall") }
    var command: Command
    do throws(CommandReader.Mistake) {
      command = try read.get()
    } catch {
      result.commands.addUnknown("\(reader.path):\(entry.line): \(error)")
      return stopComparingJournal()
    }
    if !isExact, case .endConnection(let name, let how) = command {
      guard let id = connections[name]?.id else { return }
      command = .endConnection(id, how)
    }
    do {
      try simulator.perform(command, at: recordedWall ?? wall(entry))
    } catch {
      // A command that failed in the recording fails now, and the journal has it.
      if !isExact { result.commands.fail("\(error)") }
    }
  }

  private func other(_ name: String, _ entry: CaptureEntry) {
    flush()
    let now = wall(entry)
    let facts = source.withFields { OtherInput($0) }
    switch name {
    case "connectionRefused":
      if let provider = facts.provider {
        var opening = ConnectionOpening(peer: facts.peer, provider: provider)
        opening.ordinal = facts.ordinal > 0 ? facts.ordinal : nil
        if case .gateway(let connection) = open(opening, facts.listener, at: now) {
          connection.closed(.failed, at: now)
        }
      } else {
        simulator.noteRefusedConnection(
          facts.listener,
          peer: facts.peer,
          reason: facts.reason,
          subject: facts.subject,
          at: now
        )
      }
    case "connectionArrived": simulator.askAcceptDelay(facts.listener, ordinal: facts.ordinal, at: now)
    case "certificateJudged":
      guard let provider = facts.provider else { return }
      let refusal = simulator.refusal(facts.listener, ordinal: facts.ordinal, provider: provider, at: now)
      connections.judge(facts.ordinal, of: facts.listener, isRefused: refusal != nil)
    default: steer(name, facts, entry)
    }
  }

  private func steer(_ name: String, _ facts: OtherInput, _ entry: CaptureEntry) {
    guard let id = facts.connection, let connection = connections[id] else { return }
    let now = wall(entry)
    switch (name, connection.door) {
    case ("shutdown", .gateway(let gateway)):
      takeVerdicts(gateway.shutdown(at: now), of: connection, at: entry.time)
    case ("linesSent", .device(let device)): device.skipLines(facts.count, at: now)
    case ("deviceSilent", .device(let device)): device.silent(for: Int64(facts.count), at: now)
    default: break
    }
  }
}

/// The members of the lines of the rarer inputs.
struct OtherInput {
  var connection: ConnectionID?
  var listener: Listener
  var ordinal: UInt32
  var peer: String
  var reason: String
  var subject: String
  var provider: ProviderIdentity?
  var count: Int

  init(_ fields: borrowing LineFields) {
    connection = fields.string("connection").flatMap { ConnectionID($0) }
    listener = fields.string("listener").flatMap(Listener.init(rawValue:)) ?? .gateway
    ordinal = fields.int("ordinal").flatMap { UInt32(exactly: $0) } ?? 0
    peer = fields.string("peer") ?? ""
    reason = fields.string("reason") ?? ""
    subject = fields.string("subject") ?? ""
    provider = fields.value("provider").map { ProviderIdentity($0) }
    count = Int(clamping: fields.int("count") ?? fields.int("seconds") ?? 0)
  }
}

extension Command {
  /// True for a reset or a new scenario, which forgets what came before.
  var isNewBeginning: Bool {
    switch self {
    case .reset, .replaceScenario: true
    default: false
    }
  }
}
