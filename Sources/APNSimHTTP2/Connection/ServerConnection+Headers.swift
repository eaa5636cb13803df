/// HEADERS and CONTINUATION (RFC 9113 sections 6.2, 6.10, 8.1).
extension ServerConnection {
  /// ```text
  /// [pad length u8] | [exclusive 1 bit, dependency 31 bits | weight u8] | fragment | padding
  /// ```
  @inline(__always)
  mutating func receiveHeaders(
    _ header: FrameHeader,
    _ payload: UnsafeRawBufferPointer,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) {
    guard header.stream & 1 == 1 else {
      return fail(
        ConnectionError(.protocolError, "a client's streams are odd, found HEADERS on \(header.stream)")
      )
    }
    var start = 0
    var padding = 0
    if header.flags.contains(.padded) {
      guard let length = payload.first else {
        return fail(ConnectionError(.frameSizeError, "HEADERS ends before its padding length"))
      }
      padding = Int(length)
      start = 1
    }
    var dependsOnItself = false
    if header.flags.contains(.priority) {
      guard payload.count &- start >= 5 else {
        return fail(ConnectionError(.frameSizeError, "HEADERS ends before its priority"))
      }
      dependsOnItself = payload.bigEndian(UInt32.self, at: start) & 0x7FFF_FFFF == header.stream
      start &+= 5
    }
    let count = payload.count &- start &- padding
    guard count >= 0 else {
      return fail(ConnectionError(.protocolError, "HEADERS has more padding (\(padding)) than room"))
    }
    let fragment = payload.slice(start, count)
    // A flaw of the stream is told where its block ends. Decoding comes first.
    if header.flags.contains(.endHeaders) {
      return receiveBlock(header, fragment, dependsOnItself: dependsOnItself, finding)
    }
    block.removeAll()
    block.append(dependsOnItself ? 1 : 0)
    block.append(fragment)
    blockHeader = header
    continuations = 0
  }

  mutating func receiveContinuation(
    _ header: FrameHeader,
    _ payload: UnsafeRawBufferPointer,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) {
    guard let first = blockHeader else {
      return fail(ConnectionError(.protocolError, "CONTINUATION without HEADERS before it"))
    }
    continuations &+= 1
    guard continuations <= limits.continuations else {
      return fail(.continuations, "a header block in too many CONTINUATION frames")
    }
    guard block.count &- 1 &+ payload.count <= limits.headerBlock else {
      return fail(.headerBlock, "a header block is too large")
    }
    block.append(payload)
    guard header.flags.contains(.endHeaders) else { return }
    blockHeader = nil
    let whole = block.bytes
    receiveBlock(first, whole.slice(1, whole.count &- 1), dependsOnItself: whole[0] == 1, finding)
    block.removeAll()
    block.shrink(to: 0)
  }

  @inline(__always)
  private mutating func receiveBlock(
    _ header: FrameHeader,
    _ fragment: UnsafeRawBufferPointer,
    dependsOnItself: Bool,
    _ finding: (HeaderName, UnsafeRawBufferPointer) -> UInt32
  ) {
    let isNew = header.stream > closed.highest
    var facts = HeaderFacts(isNew ? .request : .trailers)
    facts.takesWhiteSpace = takesWhiteSpace
    if let error = decoder.decode(fragment, into: &lists, &facts, finding: finding) { return fail(error) }
    let place = lists.latestPlace
    if dependsOnItself { facts.refuse("a stream depends on itself (RFC 9113 section 5.3.1)") }
    if isNew {
      begin(header, facts, place)
    } else {
      lists.removeAll(from: place)
      receiveTrailers(header, facts)
    }
  }

  @inline(__always)
  private mutating func begin(_ header: FrameHeader, _ facts: HeaderFacts, _ list: HeaderPlace) {
    let id = header.stream
    closed.open(id)
    let refusal: StreamError?
    if newStreams == .ignored || id > lastStream {
      lists.removeAll(from: list)
      closed.noteReset(id)
      events.append(.streamIgnored(id))
      return countReset()
    }
    if let flaw = facts.flaw {
      refusal = StreamError(.protocolError, flaw)
    } else if newStreams == .refused {
      refusal = StreamError(.refusedStream, "no further streams are accepted")
    } else if streams.count >= allowedStreams {
      meet(.concurrentStreams)
      guard limits.refusesExcessStreams else {
        return fail(ConnectionError(.refusedStream, "Maximum active streams violated for this endpoint."))
      }
      refusal = StreamError(.refusedStream, "more streams than SETTINGS_MAX_CONCURRENT_STREAMS")
    } else {
      refusal = nil
    }
    if let refusal {
      let header = facts.flaw == nil ? [] : lists[list].flawedName(takesWhiteSpace)
      lists.removeAll(from: list)
      return refuse(id, refusal, header: header)
    }
    if facts.isTooLarge { meet(.headerList) }
    var slot = StreamSlot(id: id)
    slot.credential = facts.credential
    slot.mark = mark
    slot.headers = list
    slot.contentLength = facts.contentLength
    slot.isListTooLarge = facts.isTooLarge
    slot.isGet = facts.isGet
    slot.whiteSpace = facts.whiteSpace
    openListBytes &+= lists.byteCount(of: list)
    streams.insert(slot)
    guard header.flags.contains(.endStream), let place = streams.place(of: id) else { return }
    end(place)
  }

  /// The number of streams that may be open: as the peer knows it, not as it has yet to read.
  var allowedStreams: Int {
    let promised = pending.reduce(own.maximumConcurrentStreams) { max($0, $1.maximumConcurrentStreams) }
    return min(Int(promised), limits.streams)
  }

  private mutating func receiveTrailers(_ header: FrameHeader, _ facts: HeaderFacts) {
    let id = header.stream
    guard let place = streams.place(of: id) else {
      if closed.wasReset(id) { return countIdleFrame() }
      if closed.isSkipped(id) {
        return fail(ConnectionError(.protocolError, "identifiers rise: \(id) after \(closed.highest)"))
      }
      return fail(ConnectionError(.streamClosed, "HEADERS on stream \(id), which is closed"))
    }
    if streams[place].isRemoteClosed {
      return refuse(id, StreamError(.streamClosed, "HEADERS after END_STREAM"))
    }
    if let flaw = facts.flaw { return refuse(id, StreamError(.protocolError, flaw)) }
    guard header.flags.contains(.endStream) else {
      return refuse(id, StreamError(.protocolError, "trailers end the stream (RFC 9113 section 8.1)"))
    }
    end(place)
  }
}
