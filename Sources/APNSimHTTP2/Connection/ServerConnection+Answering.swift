/// Answers. HEADERS go out at once; bodies wait for the windows of stream and connection (RFC 9113 section 5.2).
extension ServerConnection {
  /// Whether a stream is there to be answered: the peer has not reset it, and it has no whole answer.
  @inline(__always)
  package func canAnswer(_ stream: UInt32) -> Bool {
    guard let place = streams.place(of: stream) else { return false }
    return !streams[place].isLocalClosed
  }

  /// Answers a request: `:status`, `apns-id` where there is one, and a body, which may be empty.
  /// - Returns: false where the stream is gone; nothing is written then.
  @discardableResult
  package mutating func respond(
    to stream: UInt32,
    status: Int,
    apnsID: UnsafeRawBufferPointer?,
    body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) -> Bool {
    guard canAnswer(stream) else { return false }
    sendHeaders(on: stream, endsStream: body.isEmpty) { output in
      HPACKEncoder.append(status: status, to: &output)
      if let apnsID { HPACKEncoder.append(name: "apns-id", value: apnsID, to: &output) }
    }
    if !body.isEmpty { sendBody(on: stream, body, endsStream: true) }
    return true
  }

  /// Sends a header block as it is written, in as many frames as it needs.
  /// - Parameter write: writes the block (``HPACKEncoder``) to the end of the output.
  package mutating func sendHeaders(
    on stream: UInt32,
    endsStream: Bool,
    _ write: (inout GrowingBytes) -> Void
  ) {
    guard let place = streams.place(of: stream), !streams[place].isLocalClosed else { return }
    let start = output.count
    let flags: FrameFlags = endsStream ? [.endHeaders, .endStream] : .endHeaders
    output.append(FrameHeader(length: 0, type: .headers, flags: flags, stream: stream))
    write(&output)
    let length = output.count &- start &- FrameHeader.byteCount
    if length <= 16_384 {
      output.replace(at: start &+ 1, with: UInt8(truncatingIfNeeded: length >> 8))
      output.replace(at: start &+ 2, with: UInt8(truncatingIfNeeded: length))
    } else {
      let block = Array(output.bytes[(start &+ FrameHeader.byteCount)...])
      output.truncate(to: start)
      block.withUnsafeBytes { writeHeaders(on: stream, $0, endsStream: endsStream) }
    }
    streams[place].hasAnswer = true
    if endsStream { close(local: place) }
  }

  /// Writes a header block in as many frames as it needs.
  private mutating func writeHeaders(on stream: UInt32, _ block: UnsafeRawBufferPointer, endsStream: Bool) {
    var offset = 0
    repeat {
      let count = min(block.count - offset, 16_384)
      var flags: FrameFlags = offset == 0 && endsStream ? .endStream : []
      if offset + count == block.count { flags.insert(.endHeaders) }
      output.append(
        FrameHeader(length: count, type: offset == 0 ? .headers : .continuation, flags: flags, stream: stream)
      )
      output.append(block.slice(offset, count))
      offset += count
    } while offset < block.count
  }

  /// Sends bytes of a body, now or when the peer's windows have room for them.
  @discardableResult
  package mutating func sendBody(on stream: UInt32, _ bytes: UnsafeRawBufferPointer, endsStream: Bool) -> Bool
  {
    guard let place = streams.place(of: stream), !streams[place].isLocalClosed else { return false }
    streams[place].hasAnswer = true
    var sent = 0
    if held.isEmpty || !held.contains(where: { $0.stream == stream }) {
      sent = write(bytes, place, endsStream: endsStream)
      if sent == bytes.count, !bytes.isEmpty || endsStream {
        if endsStream { close(local: place) }
        return true
      }
    }
    guard heldBytes &+ bytes.count &- sent &+ 64 <= limits.heldAnswers else {
      fail(.heldAnswers, "answers wait for a window that does not open")
      return true
    }
    heldBytes &+= bytes.count &- sent &+ 64
    held.append(HeldBody(stream: stream, bytes: Array(bytes[sent...]), endsStream: endsStream))
    return true
  }

  /// Ends a stream by RST_STREAM.
  /// - Parameter counts: false for one that the peer did nothing to bring about.
  package mutating func reset(_ stream: UInt32, _ code: ErrorCode, counts: Bool = true) {
    output.appendReset(stream: stream, code)
    guard streams.place(of: stream) != nil else { return }
    forget(stream)
    closed.noteReset(stream)
    if counts { countReset() }
  }

  /// Sends GOAWAY; streams above the last one are ignored from now on. A higher last stream later on is sent too.
  package mutating func sendGoAway(lastStream: UInt32, _ code: ErrorCode, debug: [UInt8] = []) {
    output.appendGoAway(lastStream: lastStream, code, debug: debug)
    self.lastStream = lastStream
  }

  /// Writes as much as the windows have room for; returns how much.
  private mutating func write(_ bytes: UnsafeRawBufferPointer, _ place: Int, endsStream: Bool) -> Int {
    let streamWindow = Int(peer.initialWindowSize) &- streams[place].sendUsed
    let room = max(0, min(bytes.count, sendWindow, streamWindow))
    guard room > 0 || bytes.isEmpty else { return 0 }
    sendWindow &-= room
    streams[place].sendUsed &+= room
    let id = streams[place].id
    var offset = 0
    repeat {
      let count = min(room &- offset, 16_384)
      let isLast = endsStream && offset &+ count == bytes.count
      output.append(FrameHeader(length: count, type: .data, flags: isLast ? .endStream : [], stream: id))
      output.append(bytes.slice(offset, count))
      offset &+= count
    } while offset < room
    return room
  }

  /// The stream's answer is complete.
  @inline(__always)
  private mutating func close(local place: Int) {
    streams[place].isLocalClosed = true
    resets.earn()
    idleFrames.earn()
    if streams[place].isRemoteClosed { remove(place) }
  }

  /// Sends what waited, in the order in which it began to wait, as far as the windows allow.
  mutating func sendHeld() {
    guard !held.isEmpty, sendWindow > 0 else { return }
    var waiting: [HeldBody] = []
    let bodies = held
    held = []
    var blocked: Set<UInt32> = []
    for var body in bodies {
      guard let place = streams.place(of: body.stream) else {
        heldBytes &-= body.bytes.count &- body.sent &+ 64
        continue
      }
      guard !blocked.contains(body.stream) else {
        waiting.append(body)
        continue
      }
      let sent = body.bytes.withUnsafeBytes {
        write($0.slice(body.sent, $0.count &- body.sent), place, endsStream: body.endsStream)
      }
      body.sent &+= sent
      heldBytes &-= sent
      if body.sent == body.bytes.count {
        heldBytes &-= 64
        if body.endsStream { close(local: place) }
      } else {
        blocked.insert(body.stream)
        waiting.append(body)
      }
    }
    held = waiting
  }

  /// Forgets what waits on a stream that is gone.
  mutating func dropHeld(_ stream: UInt32) {
    for body in held where body.stream == stream { heldBytes &-= body.bytes.count &- body.sent &+ 64 }
    held.removeAll { $0.stream == stream }
  }
}
