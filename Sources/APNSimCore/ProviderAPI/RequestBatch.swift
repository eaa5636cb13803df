package import APNSimWire

/// The requests that one read brought to their end: a row of fixed size for each, and their evidence in one piece of memory.
///
/// A request is decoded here, once, without the lock.
package struct RequestBatch: ~Copyable {
  /// The number of requests.
  package private(set) var count = 0
  private var rows = UnsafeMutableBufferPointer<RequestRow>(start: nil, count: 0)
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var used = 0
  /// The authorizations and the topics of the requests. Most that follow each other have the same.
  private var authorizations: [RequestAuthorization] = []
  private var topics: [String?] = []
  /// Where the last topic stands in the evidence.
  private var latestTopic = 0..<0
  /// A value of `apns-…` may have white space at its ends.
  private var mayHaveWhiteSpace = false

  /// - Parameters:
  ///   - requests: about so many.
  ///   - byteCount: of about so much evidence.
  package init(requests: Int = 0, byteCount: Int = 0) {
    if requests > 0 { rows = .allocate(capacity: requests) }
    if byteCount > 0 { memory = .allocate(byteCount: byteCount, alignment: 8) }
  }

  deinit {
    rows.deallocate()
    memory.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// The bytes of evidence that a request takes beside its headers and its body, or fewer.
  package static var usualByteCount: Int { 160 }

  /// A request, which is good as long as none is added.
  subscript(place: Int) -> PreparedRequest {
    precondition(place >= 0 && place < count)
    let row = rows.baseAddress.unsafelyUnwrapped + place
    let (authorization, topic) = (row.pointee.authorization, row.pointee.topic)
    return PreparedRequest(
      row: row,
      memory: memory.baseAddress.unsafelyUnwrapped + row.pointee.start,
      authorization: authorizations[Int(authorization)],
      topic: topic < 0 ? nil : topics[Int(topic)]
    )
  }

  // MARK: Adding

  /// Adds a request as it was read.
  /// - Parameters:
  ///   - headers: the text of its header list: of each field the lengths of name and value, in two bytes each, name and
  ///     value. That of `authorization` is empty.
  ///   - fields: those of them that mean something, with places in it.
  ///   - isPlain: nothing in a value has the shape of a provider token; what a path has is looked at here.
  ///   - body: all of it, or as much as there is.
  ///   - openFor: the milliseconds from its header list to its end.
  package mutating func append(
    stream: UInt32,
    headers: UnsafeRawBufferPointer,
    fields: UnsafeBufferPointer<RequestField>,
    isPlain: Bool,
    body: UnsafeRawBufferPointer,
    authorization: RequestAuthorization,
    openFor: UInt32
  ) {
    let row = nextRow()
    RequestDecoder.decode(fields, in: headers, into: &row.pointee.head)
    guard isPlain, row.pointee.head.isTokenHexadecimal || !Self.hasToken(row.pointee.head.path, in: headers)
    else {
      let headers = Self.headers(headers)
      return append(
        ProviderRequest(
          stream: stream,
          headers: headers,
          body: body,
          authorization: authorization,
          openFor: openFor
        )
      )
    }
    let parts = RequestEvidence.Parts(
      stream: stream,
      digits: RequestEvidence.digits(of: row.pointee.head, in: headers),
      body: RequestEvidence.kept(body),
      bodyByteCount: body.count,
      headers: headers,
      authorization: authorization
    )
    let byteCount = parts.byteCount
    parts.write(to: makeRoom(byteCount))
    row.pointee.head.scheme = authorization.scheme
    row.pointee.head.bodyCount = body.count
    row.pointee.head.move(by: UInt32(truncatingIfNeeded: parts.headersStart))
    finish(row, byteCount, authorization, openFor: openFor)
  }

  /// Adds a request of a journal or a scenario; nothing where its bytes are no evidence.
  package mutating func append(_ request: ProviderRequest) {
    request.bytes.withUnsafeBytes { bytes in
      guard let evidence = RequestEvidence(bytes) else { return }
      let row = nextRow()
      row.pointee.head = evidence.request
      if RequestEvidence.hasWhiteSpace(row.pointee.head, in: bytes) { mayHaveWhiteSpace = true }
      makeRoom(bytes.count).copyMemory(from: bytes)
      finish(row, bytes.count, request.authorization, openFor: request.openFor)
    }
  }

  /// Some of the requests, in a batch of their own.
  package func part(_ places: Range<Int>) -> RequestBatch {
    var part = RequestBatch()
    for place in places { part.append(self[place]) }
    part.mayHaveWhiteSpace = mayHaveWhiteSpace
    return part
  }

  private mutating func append(_ request: PreparedRequest) {
    let row = nextRow()
    row.pointee.head = request.head
    makeRoom(request.bytes.count).copyMemory(from: request.bytes)
    finish(row, request.bytes.count, request.authorization, openFor: request.row.pointee.openFor)
  }

  /// Notes that a request came with white space at an end of a value of `apns-…`.
  package mutating func noteWhiteSpace() { mayHaveWhiteSpace = true }

  /// White space at the ends of values of `apns-…` does not count: the requests that have some are read without it.
  mutating func dropWhiteSpace() {
    guard mayHaveWhiteSpace else { return }
    for place in 0..<count {
      let prepared = self[place]
      guard RequestEvidence.hasWhiteSpace(prepared.head, in: prepared.bytes) else { continue }
      prepared.noteWhiteSpace()
      let row = prepared.row
      row.pointee.topic = self.place(ofTopic: row.pointee.topicText.bytes(in: prepared.bytes))
    }
  }

  /// The request that was begun has its evidence, and what its header list says.
  private mutating func finish(
    _ row: UnsafeMutablePointer<RequestRow>,
    _ byteCount: Int,
    _ authorization: RequestAuthorization,
    openFor: UInt32
  ) {
    let bytes = UnsafeRawBufferPointer(memory).part(from: used, count: byteCount)
    guard let evidence = RequestEvidence(bytes) else { return }
    row.pointee.submission = Submission.unread
    evidence.writeFields(of: row.pointee.head, to: &row.pointee.submission.fields)
    row.pointee.submission.end = byteCount
    row.pointee.submission.interface = .http2
    PayloadJudge.judge(evidence.body, into: &row.pointee.submission.verdict)
    (row.pointee.start, row.pointee.stream, row.pointee.openFor) = (used, evidence.stream, openFor)
    row.pointee.authorization = place(of: authorization)
    row.pointee.topic = place(ofTopic: row.pointee.topicText.bytes(in: bytes))
    used += byteCount + RequestEvidence.mostTimesByteCount
    count += 1
  }

  private mutating func place(of authorization: RequestAuthorization) -> Int32 {
    if authorizations.last?.isSame(as: authorization) != true { authorizations.append(authorization) }
    return Int32(truncatingIfNeeded: authorizations.count - 1)
  }

  /// The place of a topic; negative for bytes that can be none.
  private mutating func place(ofTopic topic: UnsafeRawBufferPointer) -> Int32 {
    guard !topic.isEmpty, topic.count <= 255, let start = topic.baseAddress, let base = memory.baseAddress
    else { return -1 }
    let latest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[latestTopic])
    if !topic.hasBytes(of: latest) {
      let isText = topic.allSatisfy { (0x21...0x7E).contains($0) }
      topics.append(isText ? String(decoding: topic, as: UTF8.self) : nil)
    }
    let place = start - UnsafeRawPointer(base)
    latestTopic = place..<place + topic.count
    return Int32(truncatingIfNeeded: topics.count - 1)
  }

  /// Evidence keeps no token, wherever it stands.
  private static func hasToken(_ path: ByteRange, in headers: UnsafeRawBufferPointer) -> Bool {
    ProviderToken.isIn(path.bytes(in: headers))
  }

  /// The fields of a list's text.
  private static func headers(_ text: UnsafeRawBufferPointer) -> [(name: [UInt8], value: [UInt8])] {
    var found: [(name: [UInt8], value: [UInt8])] = []
    RequestEvidence.forEachField(in: text, 0..<text.count) { field in
      found.append((Array(field.name.bytes(in: text)), Array(field.value.bytes(in: text))))
    }
    return found
  }

  // MARK: Memory

  private mutating func nextRow() -> UnsafeMutablePointer<RequestRow> {
    if count == rows.count {
      let larger = UnsafeMutableBufferPointer<RequestRow>.allocate(capacity: max(4, 2 * count))
      _ = larger.moveInitialize(fromContentsOf: rows[..<count])
      rows.deallocate()
      rows = larger
    }
    return rows.baseAddress.unsafelyUnwrapped + count
  }

  /// Room for so many bytes of evidence, and for what may follow them.
  private mutating func makeRoom(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let needed = used + byteCount + RequestEvidence.mostTimesByteCount
    if needed > memory.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(needed, 2 * memory.count),
        alignment: 8
      )
      larger.copyMemory(from: UnsafeRawBufferPointer(memory).part(from: 0, count: used))
      memory.deallocate()
      memory = larger
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + byteCount])
  }
}
