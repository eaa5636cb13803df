internal import APNSimCore
internal import APNSimWire

/// What services wrote in a capture, put together from however many pieces it came in.
struct DigestAnswers {
  private(set) var errors: [CaptureDigest.ErrorItem] = []
  private(set) var tuples: [CaptureDigest.TupleItem] = []
  /// The beginnings of error responses that came in pieces, by gateway connection.
  private var pieces: [ConnectionID: (topic: String, bytes: [UInt8])] = [:]
  /// Feedback lists that are being read.
  private var lists: [ConnectionID: (topic: String, decoder: FeedbackTupleDecoder)] = [:]

  /// A connection to the feedback service begins.
  mutating func beginList(_ id: ConnectionID, topic: String) { lists[id] = (topic, FeedbackTupleDecoder()) }

  /// Takes what a feedback service wrote; nothing from a connection that was not begun.
  mutating func addTuples(_ bytes: [UInt8], on id: ConnectionID) {
    guard var list = lists.removeValue(forKey: id) else { return }
    for tuple in list.decoder.decode(bytes) {
      tuples.append(CaptureDigest.TupleItem(topic: list.topic, token: tuple.token))
    }
    lists[id] = list
  }

  /// Takes what a gateway wrote: error responses and nothing else.
  mutating func addError(_ bytes: [UInt8], on id: ConnectionID, topic: String) {
    var rest = ((pieces.removeValue(forKey: id)?.bytes ?? []) + bytes)[...]
    while rest.count >= ErrorResponse.byteCount {
      let answer = Array(rest.prefix(ErrorResponse.byteCount))
      guard ErrorResponse(bytes: answer) != nil else { return }
      rest = rest.dropFirst(ErrorResponse.byteCount)
      errors.append(CaptureDigest.ErrorItem(topic: topic, bytes: answer))
    }
    if !rest.isEmpty { pieces[id] = (topic, Array(rest)) }
  }

  /// Bytes of the service are missing: what was begun cannot be completed.
  mutating func lose(_ id: ConnectionID) { (pieces[id], lists[id]) = (nil, nil) }

  /// No more comes; an error response that was begun is told as far as it came.
  mutating func end(_ id: ConnectionID) {
    lists[id] = nil
    guard let (topic, bytes) = pieces.removeValue(forKey: id), bytes.first == ErrorResponse.command else {
      return
    }
    errors.append(CaptureDigest.ErrorItem(topic: topic, bytes: bytes))
  }

  /// The capture has ended.
  mutating func finish() { for id in pieces.keys.sorted() { end(id) } }
}
