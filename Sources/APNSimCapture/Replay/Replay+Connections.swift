import APNSimCore
import APNSimWire

/// Opening and closing of a capture's connections.
extension Replay {
  /// The connection of that number; nil for one that the capture does not begin and whose bytes therefore have no
  /// context: it is counted, once, as not compared.
  func connection(_ id: ConnectionID) -> ReplayConnection? {
    if let known = connections[id] { return known }
    if connections.noteUnbegun(id) { comparison.noteUnbegun() }
    return nil
  }

  /// Opens a connection that the capture does not begin, at its first notification: its lines are whole frames, so that
  /// it can be replayed from there on, and its effects on other connections too.
  func openBefore(_ id: ConnectionID, _ entry: CaptureEntry) {
    flush()
    let now = wall(entry)
    let topic = source.withFields { $0.string("topic") } ?? options.topic
    let isRequest = source.withFields { $0.string("interface") } == Interface.http2.name
    let listener = isRequest ? Listener.http2 : .gateway
    let provider = ProviderIdentity(topics: [topic], environment: .production, subject: "")
    let door = open(ConnectionOpening(peer: "", provider: provider), listener, at: now)
    connections.add(
      ReplayConnection(name: id, door: door, sides: sides(listener, .beginning, since: entry.time))
    )
    result.connections += 1
  }

  private func sides(
    _ listener: Listener,
    _ gaps: ConnectionSides.Gaps = [],
    sight: ConnectionSides.Sight = .nothing,
    since begin: Timestamp
  ) -> ConnectionSides {
    var sides = ConnectionSides(listener, sight: sight, isRecording: isRecording, since: begin)
    sides.gaps = gaps
    return sides
  }

  func open(_ captured: CapturedConnection, _ entry: CaptureEntry) {
    let now = wall(entry)
    result.connections += 1
    let door: ReplayConnection.Door
    var gateway: ConnectionOpening?
    if captured.listener == .device {
      let opening = source.withFields { fields in
        DeviceOpening(
          peer: captured.peer,
          device: fields.string("device") ?? "",
          subject: fields.string("subject") ?? "",
          environment: fields.string("environment").flatMap(PushEnvironment.init(rawValue:)) ?? .production,
          tlsVersion: captured.tlsVersion,
          cipher: captured.cipher
        )
      }
      door = .device(simulator.openDevice(opening, at: now))
    } else {
      var opening = opening(of: captured)
      if captured.listener == .gateway { gateway = opening }
      door =
        !isExact && refuses(&opening, captured.listener, at: now)
        ? .none : open(opening, captured.listener, at: now)
    }
    let isSeen = captured.listener != .device && (isRecording || captured.areAnswersSeen)
    if isSeen { comparison.noteRecordedAnswers() }
    let connection = ReplayConnection(
      name: captured.id,
      door: door,
      sides: sides(captured.listener, sight: isSeen ? .everything : .nothing, since: entry.time)
    )
    connection.opening = gateway
    switch door {
    case .gateway(let gateway):
      if let span = gateway.plan.closeAfterHandshake { connection.note(.drain, at: entry.time + span) }
    case .none: connection.note(.drain, at: entry.time)
    case .feedback, .device, .http2: break
    }
    connections.add(connection)
    if case .feedback(let feedback) = door, !isExact { read(feedback, on: connection, at: now) }
  }

  /// A reader takes everything at once.
  private func read(_ feedback: FeedbackConnection, on connection: ReplayConnection, at now: Timestamp) {
    var chunk = feedback.nextChunk(at: now)
    connection.sides.isUnexplained = chunk.isEmpty && !reader.header.isComplete && options.scenario == nil
    while !chunk.isEmpty {
      connection.sides.answers.addReplayed(chunk)
      chunk = feedback.nextChunk(at: now)
    }
  }

  /// Resumes a connection after missing bytes, where frames were found again: its history is not known, so that its
  /// answers are not compared, but its notifications are judged.
  func resume(_ id: ConnectionID, at entry: CaptureEntry) {
    guard let known = connections[id], known.isBroken, let opening = known.opening else { return }
    let now = wall(entry)
    if case .gateway(let gateway) = known.door {
      connections.silence(gateway.id)
      gateway.closed(.failed, at: now)
    }
    let connection = ReplayConnection(
      name: id,
      door: open(opening, .gateway, at: now),
      sides: sides(.gateway, .beginning, since: entry.time)
    )
    connection.opening = opening
    connections.add(connection)
  }

  /// True where a rule refuses the connection in its handshake. A capture has that only where a rule was asked.
  private func refuses(_ opening: inout ConnectionOpening, _ listener: Listener, at now: Timestamp) -> Bool {
    let ordinal = opening.ordinal ?? simulator.arrive(listener, at: now).ordinal
    opening.ordinal = ordinal
    if let isRefused = connections.isRefused(ordinal, of: listener) { return isRefused }
    return simulator.refusal(listener, ordinal: ordinal, provider: opening.provider, at: now) != nil
  }

  private func opening(of captured: CapturedConnection) -> ConnectionOpening {
    var provider = captured.provider
    if provider.topic.isEmpty, captured.listener != .http2 { provider.topics = [options.topic] }
    var opening = ConnectionOpening(
      peer: captured.peer,
      provider: provider,
      tlsVersion: captured.tlsVersion,
      cipher: captured.cipher
    )
    opening.ordinal = captured.ordinal > 0 ? captured.ordinal : nil
    return opening
  }

  func open(
    _ opening: ConnectionOpening,
    _ listener: Listener,
    at now: Timestamp
  ) -> ReplayConnection.Door {
    do throws(TurnedAway) {
      return switch listener {
      case .feedback: .feedback(try simulator.openFeedback(opening, at: now))
      case .http2: .http2(try simulator.openRequests(opening, at: now))
      case .gateway, .device: .gateway(try simulator.openGateway(opening, at: now))
      }
    } catch {
      return .none
    }
  }

  func close(_ id: ConnectionID, _ reason: ClosingReason, byService: Bool, _ entry: CaptureEntry) {
    guard let connection = connections[id] else { return }
    let now = wall(entry)
    // A capture that has the service's end of a connection also has what it sent.
    if reason == .simulatorClosed || byService {
      comparison.noteRecordedAnswers()
      connection.sides.seeAnswers()
    }
    switch connection.door {
    case .gateway(let gateway):
      // A journal of other settings does not have that an answer waited for the provider's end.
      if !isExact, reason == .peerClosed {
        connection.addReplayed(gateway.inputEnded(at: now), at: entry.time)
      }
      gateway.closed(reason, at: now)
    case .feedback(let feedback): feedback.closed(reason, at: now)
    case .http2(let requests): requests.closed(reason, at: now)
    case .device(let device): device.closed(reason, at: now)
    case .none: break
    }
    // Time passed to the end of the connection through everything that was due on it.
    connections.deliverDue(at: entry.time)
    guard let ended = connections.remove(id) else { return }
    // The server ends silent connections, whatever the gateway's state is.
    let ending = reason == .timedOut ? .unknown : CapturedEnd(reason, byService: byService)
    comparison.end(ended, ending, at: entry.time)
  }
}
