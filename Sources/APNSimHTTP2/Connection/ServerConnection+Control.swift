/// The frames that are about the connection, and those that end or weigh streams.
extension ServerConnection {
  @inline(never)
  mutating func receiveControl(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    switch header.type {
    case .priority: receivePriority(header, payload)
    case .resetStream: receiveReset(header, payload)
    case .settings: receiveSettings(header, payload)
    case .pushPromise: fail(ConnectionError(.protocolError, "a client sends no PUSH_PROMISE"))
    case .ping: receivePing(header, payload)
    case .goAway: receiveGoAway(header, payload)
    case .windowUpdate: receiveWindowUpdate(header, payload)
    default: countIdleFrame()
    }
  }

  private func isIdle(_ id: UInt32) -> Bool { id & 1 == 0 || id > closed.highest }

  /// Section 6.3: `exclusive 1 bit, dependency 31 bits | weight u8`. Priorities are ignored.
  private mutating func receivePriority(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard header.stream != 0 else { return fail(ConnectionError(.protocolError, "PRIORITY on stream 0")) }
    guard payload.count == 5 else {
      return refuse(header.stream, StreamError(.frameSizeError, "PRIORITY has 5 bytes"))
    }
    guard payload.bigEndian(UInt32.self, at: 0) & 0x7FFF_FFFF != header.stream else {
      return refuse(
        header.stream,
        StreamError(.protocolError, "a stream depends on itself (RFC 9113 section 5.3.1)")
      )
    }
    countIdleFrame()
  }

  /// Section 6.4: `code u32`.
  private mutating func receiveReset(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard !isIdle(header.stream) else {
      return fail(ConnectionError(.protocolError, "RST_STREAM on stream \(header.stream), which is idle"))
    }
    guard payload.count == 4 else {
      return fail(ConnectionError(.frameSizeError, "RST_STREAM has 4 bytes, found \(payload.count)"))
    }
    countReset()
    guard !isOver, streams.place(of: header.stream) != nil else { return }
    forget(header.stream)
    events.append(.streamReset(header.stream, ErrorCode(rawValue: payload.bigEndian(UInt32.self, at: 0))))
  }

  /// Section 6.7: eight bytes, which an acknowledgement repeats.
  private mutating func receivePing(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard header.stream == 0 else {
      return fail(ConnectionError(.protocolError, "PING on stream \(header.stream)"))
    }
    guard payload.count == 8 else {
      return fail(ConnectionError(.frameSizeError, "PING has 8 bytes, found \(payload.count)"))
    }
    countIdleFrame()
    guard !isOver else { return }
    let opaque = payload.bigEndian(UInt64.self, at: 0)
    if header.flags.contains(.acknowledgement) {
      events.append(.pingAcknowledged(opaque))
    } else if answersPings, countAcknowledgement() {
      output.appendPing(opaque, isAcknowledgement: true)
    }
  }

  /// An acknowledgement is about to be written; false when too many wait.
  mutating func countAcknowledgement() -> Bool {
    acknowledgements &+= 1
    if acknowledgements > limits.acknowledgements {
      fail(.acknowledgements, "acknowledgements are not read")
      return false
    }
    return true
  }

  /// Section 6.8: `last stream u32 | code u32 | debug data`.
  private mutating func receiveGoAway(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard header.stream == 0 else {
      return fail(ConnectionError(.protocolError, "GOAWAY on stream \(header.stream)"))
    }
    guard payload.count >= 8 else {
      return fail(ConnectionError(.frameSizeError, "GOAWAY has at least 8 bytes, found \(payload.count)"))
    }
    countIdleFrame()
    events.append(
      .goAway(
        payload.bigEndian(UInt32.self, at: 0) & 0x7FFF_FFFF,
        ErrorCode(rawValue: payload.bigEndian(UInt32.self, at: 4)),
        debug: Array(payload[8...])
      )
    )
  }

  /// Section 6.9: `increment u32`.
  private mutating func receiveWindowUpdate(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard payload.count == 4 else {
      return fail(ConnectionError(.frameSizeError, "WINDOW_UPDATE has 4 bytes, found \(payload.count)"))
    }
    let id = header.stream
    let increment = Int(payload.bigEndian(UInt32.self, at: 0) & 0x7FFF_FFFF)
    guard id == 0 || !isIdle(id) else {
      return fail(ConnectionError(.protocolError, "WINDOW_UPDATE on stream \(id), which is idle"))
    }
    countIdleFrame()
    guard !isOver else { return }
    if id == 0 {
      guard increment > 0 else { return fail(ConnectionError(.protocolError, "WINDOW_UPDATE by 0")) }
      sendWindow &+= increment
      guard sendWindow <= 0x7FFF_FFFF else {
        return fail(ConnectionError(.flowControlError, "the connection's window exceeds 2147483647"))
      }
    } else if let place = streams.place(of: id) {
      guard increment > 0 else { return refuse(id, StreamError(.protocolError, "WINDOW_UPDATE by 0")) }
      streams[place].sendUsed &-= increment
      guard Int(peer.initialWindowSize) &- streams[place].sendUsed <= 0x7FFF_FFFF else {
        return refuse(id, StreamError(.flowControlError, "the stream's window exceeds 2147483647"))
      }
    }
    sendHeld()
  }
}
