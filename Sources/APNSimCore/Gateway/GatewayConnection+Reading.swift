internal import APNSimWire

/// Reading the bytes of a connection: which frames they are, and what is done with them.
extension GatewayConnection {
  private static var framesPerBatch: Int { 128 }

  /// Reads frames from `offset` on; returns where it stopped because the rest is not decided yet.
  func consume(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    at now: Timestamp,
    _ action: inout GatewayAction,
    mostFrames: Int = .max
  ) -> Int {
    var offset = start
    var frames = 0
    while offset < buffer.count, frames < mostFrames {
      if strike?.framesLeft == 0 { strikeNow(cutting: [], at: now, &action) }
      let before = offset
      switch phase {
      case .accepting:
        guard let end = accept(buffer, from: offset, at: now, &action, most: mostFrames) else {
          simulator.renew(&judge)
          continue
        }
        offset = end
      case .passing(let seen): offset = pass(buffer, from: offset, seen: seen, at: now)
      case .discarding: offset = discard(buffer, from: offset, at: now, &action, most: mostFrames)
      case .unreadable, .closed:
        keepUnreadable(buffer[offset...])
        offset = buffer.count
      }
      if offset > before {
        frames += 1
      } else if !isUnreadable {
        break
      }
    }
    return offset
  }

  /// Nil where a command changed meanwhile what frames are judged by, or has ended the connection.
  private func accept(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    at now: Timestamp,
    _ action: inout GatewayAction,
    most: Int
  ) -> Int? {
    let room = min(most, Self.framesPerBatch, (buffer.count - start) / 32 + 1, strike?.framesLeft ?? .max)
    return withUnsafeTemporaryAllocation(of: JudgedFrame.self, capacity: room) { frames in
      var count = 0
      var offset = start
      let mode = FrameDecoder.Mode.judging(judge.limits)
      let unread = JudgedFrame.unread
      while count < room {
        frames.initializeElement(at: count, to: unread)
        guard FrameDecoder.read(&frames[count].frame, in: buffer, from: offset, mode: mode) else { break }
        judge.judge(&frames[count], in: buffer)
        offset = frames[count].frame.end
        count += 1
        if frames[count - 1].failed != .none { break }
      }
      guard count > 0 else { return start }
      let batch = World.Batch(
        frames: UnsafeBufferPointer(rebasing: frames[..<count]),
        buffer: buffer,
        judge: judge,
        connection: record,
        read: read
      )
      // Judged without the lock, by what held then: a frame that a command overtook is judged again.
      let accepted: Int?? = simulator.enter(at: now) { world in
        guard !record.isOver else {
          // Its provider has not noticed yet, and what it writes comes too late.
          phase = .discarding
          return .none
        }
        guard world.judge == judge else { return .none }
        return .some(world.accept(batch, action: &action))
      }
      guard let last = accepted else { return nil }
      strike?.countFrames(last.map { $0 + 1 } ?? count)
      guard let rejected = last else { return offset }
      return readOn(after: frames[rejected].frame, in: buffer, at: now, action)
    }
  }

  /// After the first error: decides how to read on, and from where.
  private func readOn(
    after frame: Frame,
    in buffer: UnsafeRawBufferPointer,
    at now: Timestamp,
    _ action: GatewayAction
  ) -> Int {
    if case .stopped = frame.form {
      let seen = frame.end - frame.start
      phase = .passing(seen: seen)
      return pass(buffer, from: frame.start, seen: seen, at: now)
    }
    phase = frame.hasEnd && action.ending != .stopReading ? .discarding : .unreadable
    return frame.end
  }

  /// Reads past the notification that was answered early, and journals the bytes its record does not have.
  private func pass(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    seen: Int,
    at now: Timestamp
  ) -> Int {
    guard let frame = FrameDecoder.next(in: buffer, from: start, mode: .reading) else { return start }
    let rest = Array(buffer[min(start + seen, frame.end)..<frame.end])
    if !rest.isEmpty {
      simulator.enter(at: now) { world in
        if record.isOpen { world.emit(.bytesIn(record.id, rest, count: rest.count)) }
      }
    }
    phase = .discarding
    return frame.end
  }

  private func discard(
    _ buffer: UnsafeRawBufferPointer,
    from start: Int,
    at now: Timestamp,
    _ action: inout GatewayAction,
    most: Int
  ) -> Int {
    let room = min(most, Self.framesPerBatch, (buffer.count - start) / 5 + 1)
    return withUnsafeTemporaryAllocation(of: Frame.self, capacity: room) { frames in
      var count = 0
      var offset = start
      while count < room, let frame = FrameDecoder.next(in: buffer, from: offset, mode: .reading) {
        if !frame.hasEnd {
          phase = .unreadable
          break
        }
        frames.initializeElement(at: count, to: frame)
        count += 1
        offset = frame.end
      }
      if count > 0 {
        let discarded = UnsafeBufferPointer(rebasing: frames[..<count])
        let batch = World.Batch(
          frames: UnsafeBufferPointer(start: nil, count: 0),
          buffer: buffer,
          judge: judge,
          connection: record,
          read: read
        )
        simulator.enter(at: now) { $0.discard(discarded, in: batch, action: &action) }
      }
      if isUnreadable { endFrames(at: now, &action) }
      return offset
    }
  }
}
