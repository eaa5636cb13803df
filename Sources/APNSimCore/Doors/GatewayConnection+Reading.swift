import APNSimWire

/// Reading the bytes of a connection: which frames they are, and what is done with them.
extension GatewayConnection {
  /// One step of reading: where the bytes go on and in which phase, and what is to be done on the connection.
  struct Step {
    var end: Int
    var phase: Phase
    var action = GatewayAction.none
    /// More bytes are needed.
    var isWaiting = false
  }

  private static var framesPerBatch: Int { 128 }

  /// Reads on from `start` in a phase; at most so many frames.
  /// - Parameter ahead: the number of bytes of this read that come after the buffer.
  func step(
    from phase: Phase,
    _ buffer: UnsafeRawBufferPointer,
    at start: Int,
    ahead: Int,
    most: Int,
    _ now: Timestamp
  ) -> Step {
    switch phase {
    case .accepting(let strike?) where strike.framesLeft == 0:
      let action = perform(strike, cutting: [], at: now)
      return Step(end: start, phase: .unreadable(UnreadableBytes()), action: action)
    case .accepting(let strike):
      return accept(buffer, from: start, strike, ahead: ahead, at: now, most: most)
    case .passing(let seen): return pass(buffer, from: start, seen: seen, at: now)
    case .discarding: return discard(buffer, from: start, at: now, most: most)
    case .unreadable(var bytes):
      bytes.append(buffer[start...])
      return Step(end: buffer.count, phase: .unreadable(bytes))
    case .closed: return Step(end: buffer.count, phase: .closed)
    }
  }

  /// The stream's fault: the end of the connection, or of reading it.
  /// - Parameter rest: the beginning of a frame that will never be whole: it is journalled where it is cut off.
  func perform(_ strike: StreamStrike, cutting rest: [UInt8], at now: Timestamp) -> GatewayAction {
    simulator.submit(StreamStriking(connection: record, strike: strike, rest: rest), at: now)
  }

  /// No further frame will come. An answer that waited for one leaves, and the journal has what made it leave in its
  /// place: bytes that no frame could be made of stand there only once the connection is closed.
  func endFrames(at now: Timestamp) -> GatewayAction {
    simulator.submit(FramesEnd(connection: record), at: now)
  }

  private func accept(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    _ strike: StreamStrike?,
    ahead: Int,
    at now: Timestamp,
    most: Int
  ) -> Step {
    let room = min(most, Self.framesPerBatch, (buffer.count - start) / 32 + 1, strike?.framesLeft ?? .max)
    return withUnsafeTemporaryAllocation(of: Submission.self, capacity: room) { submissions in
      var count = 0
      var offset = start
      let judge = judge
      let mode = FrameDecoder.Mode.judging(judge.limits)
      let unread = Submission.unread
      var frame = FrameEnvelope(.malformed, command: 0, start: start, end: start)
      while count < room {
        submissions.initializeElement(at: count, to: unread)
        guard FrameDecoder.read(&frame, &submissions[count].fields, in: buffer, from: offset, mode: mode)
        else {
          break
        }
        judge.judge(frame, into: &submissions[count], in: buffer)
        offset = frame.end
        count += 1
        if submissions[count - 1].failed != .none { break }
      }
      guard count > 0, let batch = batch(submissions, count, of: buffer) else {
        return Step(end: start, phase: .accepting(strike), isWaiting: true)
      }
      let input = Frames(batch: batch, strike: strike, bytesAhead: buffer.count - offset + ahead)
      let result = simulator.submit(input, at: now)
      switch result {
      case .over: return Step(end: start, phase: .discarding)
      case .refused:
        // The last accepted one is the last that is kept: what follows it must be sent again.
        let shutdown = GatewayShutdown(connection: record, isAccepting: true)
        return Step(end: start, phase: .discarding, action: simulator.submit(shutdown, at: now))
      case .overtaken:
        simulator.renew(&self.judge)
        return Step(end: start, phase: .accepting(strike))
      case .struck(let action):
        return Step(end: offset, phase: .unreadable(UnreadableBytes()), action: action)
      case .taken(nil, let action):
        var strike = strike
        strike?.countFrames(count)
        return Step(end: offset, phase: .accepting(strike), action: action)
      case .taken(let last?, let action):
        // One that failed no check before is whole. The other one was the last to be read.
        let end = submissions[last].end
        let isWhole = submissions[last].failed == .none
        return readOn(
          after: isWhole ? FrameEnvelope(.complete, command: 0, start: end, end: end) : frame,
          action
        )
      }
    }
  }

  private func batch(
    _ submissions: UnsafeMutableBufferPointer<Submission>,
    _ count: Int,
    of buffer: UnsafeRawBufferPointer
  ) -> World.Batch? {
    submissions.baseAddress.map {
      World.Batch(
        submissions: $0,
        count: count,
        buffer: buffer,
        judge: judge,
        connection: record,
        read: read
      )
    }
  }

  /// After the first error: decides how to read on, and from where.
  private func readOn(after frame: FrameEnvelope, _ action: GatewayAction) -> Step {
    if case .stopped = frame.form {
      return Step(end: frame.start, phase: .passing(seen: frame.end - frame.start), action: action)
    }
    let isReadable = frame.hasEnd && action.ending != .stopReading
    return Step(
      end: frame.end,
      phase: isReadable ? .discarding : .unreadable(UnreadableBytes()),
      action: action
    )
  }

  /// Reads past the notification that was answered early, and journals the bytes its record does not have.
  private func pass(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    seen: Int,
    at now: Timestamp
  ) -> Step {
    guard let frame = FrameDecoder.next(in: buffer, from: start, mode: .reading) else {
      return Step(end: start, phase: .passing(seen: seen), isWaiting: true)
    }
    let rest = Array(buffer[min(start + seen, frame.end)..<frame.end])
    if !rest.isEmpty { simulator.submit(FrameRest(connection: record, bytes: rest), at: now) }
    return Step(end: frame.end, phase: .discarding)
  }

  private func discard(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    at now: Timestamp,
    most: Int
  ) -> Step {
    let room = min(most, Self.framesPerBatch, (buffer.count - start) / 5 + 1)
    return withUnsafeTemporaryAllocation(of: Submission.self, capacity: room) { submissions in
      var step = Step(end: start, phase: .discarding)
      var count = 0
      while count < room, let frame = FrameDecoder.next(in: buffer, from: step.end, mode: .reading) {
        if !frame.hasEnd {
          step.phase = .unreadable(UnreadableBytes())
          break
        }
        submissions.initializeElement(at: count, to: Submission(fields: frame.fields))
        judge.take(frame.envelope, into: &submissions[count])
        count += 1
        step.end = frame.end
      }
      let batch = count > 0 ? batch(submissions, count, of: buffer) : nil
      var isEnd = false
      if case .unreadable = step.phase { isEnd = true }
      if isEnd || batch != nil {
        step.action = simulator.submit(
          DiscardedFrames(batch: batch, connection: record, isEnd: isEnd),
          at: now
        )
      } else {
        step.isWaiting = true
      }
      return step
    }
  }
}
