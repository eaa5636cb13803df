import APNSimWire

/// A request of a batch in a row of fixed size: what its headers say, and its submission.
struct RequestRow: BitwiseCopyable {
  /// Its place is that of the row.
  var submission: Submission
  var head: Request
  /// Where its evidence starts in the memory of the batch.
  var start: Int
  var stream: UInt32
  /// The milliseconds from its header list to its end.
  var openFor: UInt32
  /// The places of its authorization and of its topic in the batch; negative for a topic that is none.
  var authorization: Int32
  var topic: Int32

  /// It is about channels, or for one. (The whole request is copied for what another module computes.)
  var isBroadcast: Bool {
    switch head.target {
    case .device, .unknown: false
    case .broadcast, .channels, .allChannels: true
    }
  }

  /// The topic, or the bundle ID of the path of a broadcast.
  var topicText: ByteRange { isBroadcast ? head.bundleId : head.topic }
}

/// A request with what its headers say, where it stands in its batch.
struct PreparedRequest {
  let row: UnsafeMutablePointer<RequestRow>
  /// The evidence, and room for a time after it.
  let memory: UnsafeMutableRawPointer
  let authorization: RequestAuthorization
  /// The topic of the header, or the bundle ID of the path of a broadcast; nil without one, and for one that is no text.
  let topic: String?

  var head: Request { @inline(__always) _read { yield row.pointee.head } }
  var stream: UInt32 { row.pointee.stream }

  /// It is for a device, whatever may be wrong with it.
  // (A comparison of enumerations from another module is a call through a table.)
  var isPush: Bool {
    if case (.device, .post) = (row.pointee.head.target, row.pointee.head.method) { true } else { false }
  }

  /// It is about channels, or for one.
  var isBroadcast: Bool { row.pointee.isBroadcast }

  /// It is for a Live Activity, or to start one.
  var isOfActivity: Bool {
    if case .liveactivity? = row.pointee.head.pushType ?? row.pointee.head.topicType { true } else { false }
  }

  /// It has the token and the topic of a push before it in the batch.
  func isLike(_ push: RequestRecord.LatestPush) -> Bool {
    push.authorization == row.pointee.authorization && push.topic == row.pointee.topic
  }

  /// True for a request whose answer has no body.
  var isHead: Bool {
    guard case .other = row.pointee.head.method else { return false }
    return row.pointee.head.methodText.bytes(in: bytes).elementsEqual("HEAD".utf8)
  }

  var submission: UnsafeMutablePointer<Submission> {
    @inline(__always) get { UnsafeMutableRawPointer(row).assumingMemoryBound(to: Submission.self) }
  }

  /// The evidence.
  var bytes: UnsafeRawBufferPointer {
    @inline(__always) get { UnsafeRawBufferPointer(start: memory, count: row.pointee.submission.end) }
  }

  /// The identifier that the provider chose, as it wrote it; empty where it chose none that can be.
  var suppliedId: UnsafeRawBufferPointer {
    let isBroadcast = row.pointee.isBroadcast
    let isGood = isBroadcast ? row.pointee.head.isRequestIdCanonical : row.pointee.head.isMessageIdCanonical
    guard isGood else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return (isBroadcast ? row.pointee.head.requestId : row.pointee.head.messageId).bytes(in: bytes)
  }

  /// Notes the identifier that was made for it.
  func make(_ identifier: Identifier) {
    let place = RequestEvidence.identifierPlace
    memory.storeBytes(of: identifier.high.bigEndian, toByteOffset: place, as: UInt64.self)
    memory.storeBytes(of: identifier.low.bigEndian, toByteOffset: place + 8, as: UInt64.self)
  }

  /// Notes how long it took to be whole, which depends on how the stream was cut.
  func noteOpening() {
    guard row.pointee.openFor > 0, bytes.first == RequestEvidence.version else { return }
    row.pointee.submission.end += RequestEvidence.openingByteCount
    let room = UnsafeMutableRawBufferPointer(start: memory, count: row.pointee.submission.end)
    RequestEvidence.write(openFor: row.pointee.openFor, to: room)
  }

  /// Notes that white space at the ends of values of `apns-…` does not count, and reads its headers without it.
  func noteWhiteSpace() {
    let flags = memory.load(fromByteOffset: 1, as: UInt8.self) | RequestEvidence.WhiteSpace.apns.rawValue
    memory.storeBytes(of: flags, toByteOffset: 1, as: UInt8.self)
    guard let evidence = RequestEvidence(bytes) else { return }
    row.pointee.head = evidence.request
    row.pointee.submission.fields = NotificationFields()
    evidence.writeFields(of: row.pointee.head, to: &row.pointee.submission.fields)
  }

  /// Notes the provider's real time, by which the age of its token is taken.
  func note(realTime: Timestamp) {
    guard bytes.first == RequestEvidence.version else { return }
    row.pointee.submission.end += RequestEvidence.realTimeByteCount
    let room = UnsafeMutableRawBufferPointer(start: memory, count: row.pointee.submission.end)
    RequestEvidence.write(realTime: realTime, to: room)
  }

  /// The provider's real time that a journal has of it.
  var realTime: Timestamp? {
    guard bytes.first == RequestEvidence.versionWithRealTime else { return nil }
    return RequestEvidence(bytes)?.realTime
  }

  func write(to entry: inout StateWriter) {
    entry.write(raw: row.pointee.openFor)
    entry.write(bytes)
  }
}
