/// Cutting reads into frames.
extension ServerConnection {
  /// The connection preface, which a provider sends first (RFC 9113 section 3.4).
  static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
  /// The largest frame that is read: SETTINGS_MAX_FRAME_SIZE is never announced.
  static var maximumFrameSize: Int { 16_384 }

  /// Reads on, up to a frame that must not be read before the requests in front of it are answered.
  ///
  /// - Parameters:
  ///   - read: the bytes that came, after those of the read before.
  ///   - finding: the owner's finding about a header's value, once for each that the connection remembers
  ///     (``HeaderRow/finding``). That about one of `authorization` is a number of its own, not 0; requests refer to it
  ///     (``HTTP2Request/credential``). It may be asked for a value again.
  /// - Returns: how many of the bytes were read. The others are to be passed in again, after the answers.
  @discardableResult
  package mutating func receive(
    _ read: UnsafeRawBufferPointer,
    finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  )
    -> Int
  {
    beginRead()
    // The bytes are about those of as many requests.
    if events.capacity == 0, read.count >= 64 &* usualEvents { events.reserveCapacity(usualEvents) }
    var offset = 0
    if case .over = phase { return read.count }
    defer { handsOver = false }
    if case .preface(let seen) = phase { offset = receivePreface(read, seen) }
    if case .foreign = phase {
      receiveForeign(read.slice(offset, read.count &- offset))
      return read.count
    }
    if !tail.isEmpty { offset = completeTail(read, from: offset, finding) }
    while let header = FrameHeader(in: read, at: offset) {
      if handsOver, waits(header) || hasSaidMore { return offset }
      guard accept(header) else { return read.count }
      let payload = offset &+ FrameHeader.byteCount
      guard read.count &- payload >= header.length else { break }
      process(header, read.slice(payload, header.length), at: payload, finding)
      if isOver { return read.count }
      offset = payload &+ header.length
    }
    if !isOver, offset < read.count { tail.append(read.slice(offset, read.count &- offset)) }
    return read.count
  }

  /// Sends what an error after a request has to say, once that one is answered.
  package mutating func release() {
    guard !deferred.isEmpty else { return }
    output.append(deferred.bytes)
    deferred.removeAll()
    deferred.shrink(to: 0)
  }

  /// True once something stands in the read that is sent after the answers, or an answer that needs its own room.
  private var hasSaidMore: Bool { mayBeLong || !deferred.isEmpty || isListTooLarge || isResetUncounted }

  /// True for a frame that could have to do with a request that was handed over and has no answer yet: its stream, the
  /// windows, how many streams may be open, a budget that answers fill. New requests and the bodies of others have not.
  @inline(__always)
  private func waits(_ header: FrameHeader) -> Bool {
    switch header.type {
    case .data
    where !header.flags.contains(.endStream) && (header.length == 0 || header.flags.contains(.padded)):
      return true
    case .headers where header.stream > closed.highest: return streams.count >= allowedStreams
    case .continuation where (blockHeader?.stream ?? 0) > closed.highest:
      return streams.count >= allowedStreams
    case .headers, .data, .continuation:
      guard let place = streams.place(of: header.stream) else { return true }
      return streams[place].isDelivered
    default: return true
    }
  }

  private mutating func beginRead() {
    release()
    isListTooLarge = false
    mayBeLong = false
    events.removeAll(keepingCapacity: true)
    if isResetUncounted {
      isResetUncounted = false
      countReset()
    }
    bodies.beginRead()
    if streams.count == 0 {
      lists.removeAll()
      openListBytes = 0
    } else if lists.byteCount > 4096, lists.byteCount > openListBytes &* 2 {
      compactLists()
    }
    if tail.isEmpty { tail.shrink(to: 1024) }
  }

  /// Forgets the lists of requests that were handed over.
  private mutating func compactLists() {
    var open: [(list: HeaderPlace, id: UInt32)] = []
    streams.forEach { if !$0.isDelivered { open.append(($0.headers, $0.id)) } }
    open.sort { $0.list.row < $1.list.row }
    var end = HeaderPlace()
    for (list, id) in open {
      guard let place = streams.place(of: id) else { continue }
      lists.move(list, to: end)
      (streams[place].headers.row, streams[place].headers.text) = (end.row, end.text)
      end.row &+= list.rows
      end.text &+= list.bytes
    }
    lists.removeAll(from: end)
    openListBytes = lists.byteCount
  }

  private mutating func receivePreface(_ read: UnsafeRawBufferPointer, _ seen: Int) -> Int {
    let expected = UnsafeRawBufferPointer(
      start: Self.preface.utf8Start,
      count: Self.preface.utf8CodeUnitCount
    )
    let count = min(expected.count &- seen, read.count)
    guard read.slice(0, count).isEqual(to: expected.slice(seen, count)) else {
      tail.append(expected.slice(0, seen))
      phase = .foreign
      return 0
    }
    phase = seen &+ count == expected.count ? .first : .preface(seen &+ count)
    return count
  }

  /// Another protocol: answered as Apple answers HTTP/1.1, once its first line is there, or 256 bytes of it, or a byte
  /// that is no text.
  private mutating func receiveForeign(_ read: UnsafeRawBufferPointer) {
    tail.append(read.slice(0, min(read.count, 256 &- tail.count)))
    let line = tail.bytes.prefix { $0 >= 0x20 && $0 < 0x7F }
    guard line.count < tail.count || line.count == 256 else { return }
    let isText = line.count == tail.count || [0x0A, 0x0D].contains(tail.bytes[line.count])
    let text = String(decoding: line, as: UTF8.self)
    fail(
      ConnectionError(
        .protocolError,
        isText && line.contains(0x20)
          ? "Unexpected HTTP/1.x request: \(text.split(separator: " ").prefix(2).joined(separator: " "))"
          : "expected the connection preface \"PRI * HTTP/2.0\""
      )
    )
  }

  /// Completes the frame that the read before ended in; returns how far it reaches in this one.
  private mutating func completeTail(
    _ read: UnsafeRawBufferPointer,
    from start: Int,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) -> Int {
    var offset = start
    if tail.count < FrameHeader.byteCount {
      let count = min(FrameHeader.byteCount &- tail.count, read.count &- offset)
      tail.append(read.slice(offset, count))
      offset &+= count
    }
    guard let header = FrameHeader(in: tail.bytes, at: 0), accept(header) else { return read.count }
    let whole = FrameHeader.byteCount &+ header.length
    let count = min(whole &- tail.count, read.count &- offset)
    tail.append(read.slice(offset, count))
    offset &+= count
    guard tail.count == whole else { return offset }
    process(header, tail.bytes.slice(FrameHeader.byteCount, header.length), at: nil, finding)
    tail.removeAll()
    return isOver ? read.count : offset
  }

  /// Judges a frame by its header, before its payload is waited for.
  @inline(__always)
  private mutating func accept(_ header: FrameHeader) -> Bool {
    if header.length > Self.maximumFrameSize {
      fail(ConnectionError(.frameSizeError, "a frame has at most 16384 bytes, found \(header.length)"))
      return false
    }
    if blockHeader != nil, header.type != .continuation || header.stream != blockHeader?.stream {
      fail(
        ConnectionError(
          .protocolError,
          "expected CONTINUATION, found a frame of type \(header.type.rawValue)"
        )
      )
      return false
    }
    if case .first = phase {
      guard header.type == .settings, !header.flags.contains(.acknowledgement) else {
        fail(
          ConnectionError(.protocolError, "the first frame is SETTINGS, found type \(header.type.rawValue)")
        )
        return false
      }
    }
    return true
  }

  /// - Parameter place: where the payload stands in the read; nil for one that was put together.
  @inline(__always)
  private mutating func process(
    _ header: FrameHeader,
    _ payload: UnsafeRawBufferPointer,
    at place: Int?,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) {
    switch header.type {
    case .data: receiveData(header, payload, at: place)
    case .headers: receiveHeaders(header, payload, finding)
    case .continuation: receiveContinuation(header, payload, finding)
    default: receiveControl(header, payload)
    }
  }
}
