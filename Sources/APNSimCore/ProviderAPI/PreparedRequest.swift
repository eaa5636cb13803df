import APNSimWire

/// A request with what its headers say.
struct PreparedRequest {
  var request: ProviderRequest
  let head: Request
  let fields: NotificationFields
  let stream: UInt32
  var authorization: RequestAuthorization { request.authorization }
  /// The topic of the header, or the bundle ID of the path of a broadcast; nil without one, and for one that is no text.
  let topic: String?
  let suppliedId: [UInt8]
  let verdict: PayloadVerdict

  /// - Parameter rules: they say whether white space at the ends of values counts.
  init?(_ request: ProviderRequest, _ topics: inout LatestTopic, _ rules: OutcomeRules) {
    guard let prepared = Self.prepare(request, &topics) else { return nil }
    if rules.have(.whiteSpace), prepared.hasWhiteSpace {
      var marked = request
      marked.noteWhiteSpace()
      guard let trimmed = Self.prepare(marked, &topics) else { return nil }
      self = trimmed
    } else {
      self = prepared
    }
  }

  private var hasWhiteSpace: Bool {
    request.bytes.withUnsafeBytes { RequestEvidence.hasWhiteSpace(head, in: $0) }
  }

  @inline(__always)
  private static func prepare(_ request: ProviderRequest, _ topics: inout LatestTopic) -> PreparedRequest? {
    request.bytes.withUnsafeBytes { bytes in
      RequestEvidence(bytes).map { PreparedRequest(request, $0, &topics) }
    }
  }

  /// True for a request whose answer has no body.
  var isHead: Bool {
    request.bytes.withUnsafeBytes { head.methodText.bytes(in: $0).elementsEqual("HEAD".utf8) }
  }

  private init(_ request: ProviderRequest, _ evidence: RequestEvidence, _ topics: inout LatestTopic) {
    self.request = request
    head = evidence.request
    fields = evidence.notificationFields(of: head)
    stream = evidence.stream
    topic = topics.text(of: (head.isBroadcast ? head.bundleId : head.topic).bytes(in: evidence.bytes))
    let id = (head.isBroadcast ? head.requestId : head.messageId).bytes(in: evidence.bytes)
    suppliedId = Identifier.isCanonical(id) ? Array(id) : []
    verdict = PayloadJudge.judge(evidence.body)
  }
}

/// The text of a topic, which is mostly that of the request before it on the same connection.
struct LatestTopic {
  private var bytes: [UInt8] = []
  private var text: String?

  /// The topic that bytes spell; nil for what can be none.
  mutating func text(of topic: UnsafeRawBufferPointer) -> String? {
    guard !topic.isEmpty, topic.count <= 255 else { return nil }
    if bytes.withUnsafeBytes({ topic.hasBytes(of: $0) }) { return text }
    bytes = Array(topic)
    text = topic.allSatisfy { (0x21...0x7E).contains($0) } ? String(decoding: topic, as: UTF8.self) : nil
    return text
  }
}
