import APNSimCore
import APNSimWire

/// The answers of a capture's services, reassembled from their pieces.
struct DigestAnswers {
  private(set) var errors: [CaptureDigest.ErrorItem] = []
  private(set) var tuples: [CaptureDigest.TupleItem] = []
  /// The incomplete error responses, by gateway connection.
  private var pieces: [ConnectionID: (topic: String, bytes: [UInt8])] = [:]
  /// Feedback lists that are being read.
  private var lists: [ConnectionID: (topic: String, decoder: FeedbackTupleDecoder)] = [:]

  /// A connection to the feedback service begins.
  mutating func beginList(_ id: ConnectionID, topic: String) { lists[id] = (topic, FeedbackTupleDecoder()) }

  /// Takes bytes of a feedback service; those of a connection that was not begun are ignored.
  mutating func addTuples(_ bytes: [UInt8], on id: ConnectionID) {
    guard var list = lists.removeValue(forKey: id) else { return }
    for tuple in list.decoder.decode(bytes) {
      tuples.append(CaptureDigest.TupleItem(topic: list.topic, token: tuple.token))
    }
    lists[id] = list
  }

  /// Takes bytes of a gateway, which writes only error responses.
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

  /// Drops an incomplete answer at missing bytes of the service.
  mutating func lose(_ id: ConnectionID) { (pieces[id], lists[id]) = (nil, nil) }

  /// Ends a connection; an incomplete error response counts as far as it came.
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
