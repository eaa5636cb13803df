/// DATA (RFC 9113 section 6.1) and the ends of streams.
extension ServerConnection {
  /// ```text
  /// [pad length u8] | data | padding
  /// ```
  @inline(__always)
  mutating func receiveData(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer, at place: Int?) {
    let id = header.stream
    guard id != 0 else { return fail(ConnectionError(.protocolError, "DATA on stream 0")) }
    guard id & 1 == 1, id <= closed.highest else {
      return fail(ConnectionError(.protocolError, "DATA on stream \(id), which is idle"))
    }
    var start = 0
    var count = payload.count
    if header.flags.contains(.padded) {
      guard let padding = payload.first else {
        return fail(ConnectionError(.frameSizeError, "DATA ends before its padding length"))
      }
      guard Int(padding) < payload.count else {
        return fail(ConnectionError(.protocolError, "DATA has more padding (\(padding)) than room"))
      }
      start = 1
      count &-= 1 &+ Int(padding)
    }
    guard takeWindow(payload.count) else { return }
    let isLast = header.flags.contains(.endStream)
    if count == 0, !isLast { countIdleFrame() }
    guard !isOver else { return }
    guard let slot = streams.place(of: id) else { return receiveLateData(id) }
    if streams[slot].isRemoteClosed { return refuse(id, StreamError(.streamClosed, "DATA after END_STREAM")) }

    streams[slot].receiveUsed &+= payload.count
    guard streams[slot].receiveUsed <= allowedWindow else {
      return refuse(id, StreamError(.flowControlError, "DATA beyond the stream's window"))
    }
    streams[slot].received &+= count
    let received = streams[slot].received
    let expected = streams[slot].contentLength
    if expected >= 0, isLast ? received != expected : received > expected {
      return refuse(
        id,
        StreamError(.protocolError, "the body's length is not content-length (RFC 9113 section 8.1.1)"),
        header: Self.contentLength
      )
    }
    let data = payload.slice(start, count)
    if streams[slot].isDelivered {
      if isLast { close(remote: slot) } else { discard(slot) }
    } else if received > limits.body {
      meet(.body)
      streams[slot].isRemoteClosed = isLast
      if streams[slot].body < 0 { streams[slot].body = bodies.make() }
      bodies.append(data.slice(0, count &- (received &- limits.body)), to: streams[slot].body)
      deliver(slot, isBodyTooLarge: true)
    } else if isLast, streams[slot].body < 0, let place {
      streams[slot].isRemoteClosed = true
      deliver(slot, bodyAt: place &+ start, count)
    } else {
      collect(data, slot, isLast: isLast)
    }
  }

  /// The rest of a body that was too large: it is read, up to a bound, because most clients read the answer after it only.
  private mutating func discard(_ slot: Int) {
    let (id, used) = (streams[slot].id, streams[slot].receiveUsed)
    guard streams[slot].received <= limits.discardedBody else {
      return refuse(id, StreamError(.noError, "the rest of a body that was refused is not read"))
    }
    guard used >= allowedWindow / 2 else { return }
    output.appendWindowUpdate(stream: id, by: UInt32(clamping: used))
    streams[slot].receiveUsed = 0
  }

  /// A body in pieces, or one whose frame was put together.
  private mutating func collect(_ data: UnsafeRawBufferPointer, _ slot: Int, isLast: Bool) {
    if bodies.byteCount &+ data.count > limits.bodies {
      meet(.bodies)
      return refuse(streams[slot].id, StreamError(.enhanceYourCalm, "too many unfinished bodies"))
    }
    if streams[slot].body < 0 { streams[slot].body = bodies.make() }
    bodies.append(data, to: streams[slot].body)
    if isLast { end(slot) }
  }

  /// DATA on a stream that is closed.
  private mutating func receiveLateData(_ id: UInt32) {
    if closed.wasReset(id) { return countIdleFrame() }
    refuse(id, StreamError(.streamClosed, "DATA on a stream that is closed"))
  }

  /// Counts bytes against the connection's window and gives them back at once, by halves.
  @inline(__always)
  private mutating func takeWindow(_ count: Int) -> Bool {
    receiveWindow &-= count
    guard receiveWindow >= 0 else {
      fail(ConnectionError(.flowControlError, "DATA beyond the connection's window"))
      return false
    }
    guard returnsWindow else { return true }
    unreturned &+= count
    if unreturned >= limits.connectionWindow / 2 { returnWindow() }
    return true
  }

  /// The largest window that the peer may believe a stream to have.
  private var allowedWindow: Int {
    Int(pending.reduce(own.initialWindowSize) { max($0, $1.initialWindowSize) })
  }

  /// The request ends.
  mutating func end(_ slot: Int) {
    if streams[slot].contentLength >= 0, streams[slot].received != streams[slot].contentLength {
      let reason: StaticString = "the body's length is not content-length (RFC 9113 section 8.1.1)"
      return refuse(streams[slot].id, StreamError(.protocolError, reason), header: Self.contentLength)
    }
    if streams[slot].isDelivered { return close(remote: slot) }
    streams[slot].isRemoteClosed = true
    deliver(slot)
  }

  private mutating func close(remote slot: Int) {
    streams[slot].isRemoteClosed = true
    if streams[slot].isLocalClosed { remove(slot) }
  }

  /// Hands a request over.
  @inline(__always)
  private mutating func deliver(
    _ place: Int,
    bodyAt start: Int = 0,
    _ count: Int = 0,
    isBodyTooLarge: Bool = false
  ) {
    let slot = streams[place]
    streams[place].isDelivered = true
    handsOver = true
    isListTooLarge = slot.isListTooLarge
    mayBeLong = slot.isGet
    highestRequest = max(highestRequest, slot.id)
    streams[place].body = -1
    openListBytes &-= lists.byteCount(of: slot.headers)
    if slot.body >= 0 { bodies.deliver(slot.body) }
    events.append(
      .request(
        HTTP2Request(
          stream: slot.id,
          credential: slot.credential,
          isHeaderListTooLarge: slot.isListTooLarge,
          isBodyTooLarge: isBodyTooLarge,
          whiteSpace: slot.whiteSpace,
          headers: slot.headers,
          bodyStart: start,
          bodyCount: count,
          body: slot.body,
          mark: slot.mark
        )
      )
    )
    // Answered before it was whole: possible only for one whose body comes on.
    if slot.isRemoteClosed, slot.isLocalClosed { remove(place) }
  }

  /// Refuses a stream (RFC 9113 section 5.4.2): RST_STREAM, and what the peer had sent by then is ignored.
  /// - Parameter header: the name of the header that it is for, if it is for one.
  @inline(never)
  mutating func refuse(_ id: UInt32, _ error: StreamError, header: [UInt8] = []) {
    say { $0.appendReset(stream: id, error.code) }
    forget(id)
    closed.noteReset(id)
    events.append(.streamRefused(id, error.code, error.reason, header: header))
    countReset()
  }

  /// Refuses the streams whose requests were begun so long ago, by ``ServerConnection/mark``, and are not finished.
  /// - Returns: them, in ascending order.
  package mutating func refuseUnfinished(since age: UInt32) -> [UInt32] {
    var late: [UInt32] = []
    streams.forEach { if !$0.isDelivered, mark &- $0.mark >= age { late.append($0.id) } }
    late.sort()
    for id in late {
      output.appendReset(stream: id, .cancel)
      forget(id)
      closed.noteReset(id)
      countReset()
    }
    return late
  }

  private static var contentLength: [UInt8] { Array("content-length".utf8) }

  /// Removes a stream, whether or not its request was handed over.
  mutating func forget(_ id: UInt32) {
    guard let place = streams.place(of: id) else { return }
    remove(place)
  }

  mutating func remove(_ place: Int) {
    let slot = streams[place]
    if slot.body >= 0 { bodies.release(slot.body) }
    if !slot.isDelivered { openListBytes &-= lists.byteCount(of: slot.headers) }
    if slot.hasAnswer, !held.isEmpty { dropHeld(slot.id) }
    streams.remove(at: place)
  }
}
