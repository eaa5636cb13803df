import APNSimCapture
import APNSimCore
import APNSimWire
import NIOCore

/// Connections of a replay over the network, opened and ended where the captured ones were.
extension NetworkReplay {
  /// The sum of open sockets is bounded, whatever a capture says.
  private static let mostConnections = 1000

  mutating func connect(_ captured: CapturedConnection, at time: Timestamp) async throws {
    let timeout = TimeAmount.opening(options.patience)
    await flush()
    begun.insert(captured.id)
    guard let target = target(of: captured) else { return }
    guard open.count + requests.count < Self.mostConnections else {
      return omit(captured, "more than \(Number.grouped(Self.mostConnections)) would be open at once")
    }
    do {
      if captured.listener == .http2 {
        if let known = requests.removeValue(forKey: captured.id) { await known.close(isComplete: false) }
        requests[captured.id] = try await ReplayedRequests(captured, to: target, timeout: timeout)
      } else {
        if let known = open.removeValue(forKey: captured.id) { await known.close() }
        let sides = sides(of: captured, at: time)
        open[captured.id] = try await ReplayedConnection(captured, sides, to: target, timeout: timeout)
      }
    } catch let failure as ProviderFailure {
      try Task.checkCancellation()
      let isFirst = (captured.listener == .http2 ? report.requestConnections : report.connections) == 0
      let hints = options.hints(failure, captured.listener, isFirst)
      return try report.refuse(captured, failure, hints: hints)
    }
    report.addConnection(captured.listener)
  }

  /// The service that a captured connection goes to; nil for one that is left out.
  private mutating func target(of captured: CapturedConnection) -> ProviderTarget? {
    let found: ProviderTarget?
    let what: String
    switch captured.listener {
    case .gateway: (found, what) = (gateway, "captured gateway connections")
    case .feedback: (found, what) = (feedback, "captured feedback connections")
    case .device: (found, what) = (nil, "devices' connections, which are not a provider's")
    case .http2:
      let found = requestTarget(of: captured)
      if found == nil { omit(captured, "--http2-to HOST:PORT says where connections of HTTP/2 go") }
      return found
    }
    if found == nil { skip(what) }
    return found
  }

  /// A connection is not made, for a reason, and nothing of it is sent.
  private mutating func omit(_ captured: CapturedConnection, _ reason: String) {
    note("\(captured.id): no connection was made: \(reason)")
    report.add(
      NetworkDifference(captured, "no connection was made", recorded: ["connected"], replayed: [reason])
    )
  }

  /// Something of a connection is not sent: a difference, one for the first of each connection.
  mutating func omit(_ what: String, of id: ConnectionID, _ listener: Listener) {
    note("\(id): \(what) was not sent")
    guard !omitted.contains(id) else { return }
    omitted.insert(id)
    let provider = ProviderIdentity(topics: [], environment: .production, subject: "")
    let captured = CapturedConnection(id: id, listener: listener, peer: "", provider: provider)
    report.add(
      NetworkDifference(captured, "\(what) was not sent", recorded: ["sent"], replayed: ["not sent"])
    )
  }

  private func sides(of captured: CapturedConnection, at time: Timestamp) -> ConnectionSides {
    ConnectionSides(
      captured.listener,
      sight: isRecording || captured.areAnswersSeen ? .everything : .nothing,
      isRecording: isRecording,
      since: time
    )
  }

  /// Connects in the middle: a connection was open before the recording began, whose lines are whole frames, or requests.
  /// - Parameter topic: nil for a connection of requests.
  mutating func connectInside(_ id: ConnectionID, topic: String?, at time: Timestamp) async throws {
    let provider = ProviderIdentity(topics: topic.map { [$0] } ?? [], environment: .production, subject: "")
    let (first, listener) = topic == nil ? ("request", Listener.http2) : ("notification", .gateway)
    note("\(id) has no beginning in the capture: it is replayed from its first \(first) on, and not compared")
    try await connect(CapturedConnection(id: id, listener: listener, peer: "", provider: provider), at: time)
    open[id]?.sides.gaps.insert(.beginning)
    requests[id]?.gaps.insert(.beginning)
  }

  /// An operator's intervention is not repeated, and the connection that it ended is not compared.
  mutating func leaveToOperator(_ id: ConnectionID?) {
    guard let id else { return }
    if let connection = requests[id], connection.gaps.isEmpty {
      connection.gaps.insert(.answers)
    } else if let connection = open[id], connection.sides.gaps.isDisjoint(with: [.beginning, .answers]) {
      connection.sides.gaps.insert(.answers)
    } else {
      return
    }
    note("\(id) is not compared: an operator ended it")
  }

  /// Frames were found again after a gap: they go on over a connection of their own.
  mutating func resume(_ id: ConnectionID, at time: Timestamp) async throws {
    guard let connection = open[id], connection.isBroken else { return }
    if connection.bytesSent + connection.bytesUnsent > 0 {
      await connection.close()
      open[id] = nil
      report.leave(connection)
      note("\(id) goes on after the gap over a new connection")
      try await connect(connection.captured, at: time)
    }
    open[id]?.sides.gaps = .beginning
  }

  mutating func end(_ id: ConnectionID, _ captured: CapturedEnd, at time: Timestamp) async throws {
    await flush()
    guard let connection = open[id] else { return }
    let hasOtherCause = captured == .service && connection.sides.hasOtherCause(at: time)
    let ending = hasOtherCause ? CapturedEnd.unknown : captured
    let obstacle = connection.sides.obstacle
    if obstacle == .unseen { note("\(id) is not compared: the capture does not have what came back") }
    let endsEarly = obstacle == nil ? await endsEarly(connection, ending, at: time) : false
    if ending != .service { connection.finish() }
    // A missing answer has been waited for already.
    let hasEnded = await connection.waitForEnd(
      within: connection.isLate || obstacle != nil ? options.silence : options.patience
    )
    try Task.checkCancellation()
    open[id] = nil
    ended.insert(id)
    await connection.close()
    var otherEnd: OtherEnd?
    if endsEarly {
      let count = Number.counted(connection.bytesSentAtEnd, "byte")
      let difference = EndDifference(recorded: ending, replayed: .service)
      otherEnd = (difference, "the service ended the connection after \(count)")
    } else if ending == .service, !hasEnded {
      otherEnd = stillOpen
    }
    compare(connection, ending, otherEnd)
  }

  /// The service's end was waited for in vain.
  var stillOpen: OtherEnd {
    let difference = EndDifference(recorded: .service, replayed: .openAfter(patience))
    return (difference, "the service did not end the connection")
  }

  /// True if the service ends a connection before its provider does, which it did not in the capture.
  ///
  /// After an answer the end is the service's, and a feedback service ends once its list is read. A provider that did
  /// not wait for a refusal does not show that there was none, unless a simulator says so.
  private func endsEarly(_ connection: ReplayedConnection, _ ending: CapturedEnd, at time: Timestamp) async
    -> Bool
  {
    guard connection.captured.listener == .gateway, !connection.sides.hasRecordedAnswer else { return false }
    // The bytes before the end had been taken, whoever ended it in the capture.
    guard ending.excludesService else { return ending == .unknown && connection.bytesUnsent > 0 }
    let wasSilent =
      isRecording
      || Duration.milliseconds((time - connection.sides.lastWrite).milliseconds) >= options.silence
    let hasEnded =
      wasSilent
      ? await connection.waitForEnd(within: options.silence - (clock.now - connection.lastFlush)) : false
    return hasEnded || connection.bytesUnsent > 0
  }
}
