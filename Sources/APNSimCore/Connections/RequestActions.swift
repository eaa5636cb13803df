package import APNSimWire

/// What the service says to one request, on its stream.
package struct RequestAnswer: Hashable, Sendable {
  package var stream: UInt32
  /// The number of the notification it answers; 0 for a request that is none.
  package var notification: UInt64
  package var answer: Answer
  /// The `apns-id` that the provider chose, as it wrote it; empty where it chose none.
  package var suppliedId: [UInt8]
  /// Headers that a rule adds, in lower case, behind those of ``withHeaders(_:)``.
  package private(set) var addedHeaders: [AnswerHeader] = []
  /// The body that a rule gives, in place of the reason's.
  private var scriptedBody: [UInt8]?
  /// What it says of channels: the identifier of a new one, or what was asked for.
  package var channels = ChannelAnswer()

  package init(stream: UInt32, notification: UInt64, answer: Answer, suppliedId: [UInt8] = []) {
    self.stream = stream
    self.notification = notification
    self.answer = answer
    self.suppliedId = suppliedId
    self.answer.supplied =
      suppliedId.isEmpty ? .absent : ByteRange(start: 0, count: UInt32(clamping: suppliedId.count))
  }

  package var status: UInt16 { answer.status }
  package var reason: Reason? { answer.reason }

  /// Calls `body` with each header behind `:status`, in order. The bytes are good during the call only.
  package func withHeaders(_ body: (StaticString, UnsafeRawBufferPointer) -> Void) {
    suppliedId.withUnsafeBytes { bytes in
      channels.id.withUnsafeBytes { channel in
        answer.withHeaders(in: bytes, channel: channel) { name, value in
          if addedHeaders.isEmpty || !addedHeaders.contains(where: { $0.name == "\(name)" }) {
            body(name, value)
          }
        }
      }
    }
  }

  /// The value of a header of the answer; nil where it has none of that name.
  package func header(_ name: String) -> String? {
    var found: String?
    withHeaders { if "\($0)" == name { found = String(decoding: $1, as: UTF8.self) } }
    return found ?? addedHeaders.first { $0.name == name }?.value
  }

  /// The body: empty for a request that passed, unless it asked for something.
  package var body: [UInt8] {
    if let scriptedBody { return scriptedBody }
    var bytes = channels.body
    answer.appendBody(to: &bytes)
    return bytes
  }
}

extension RequestAnswer {
  /// Says what a rule has it say instead.
  /// - Parameter body: nil for the one that the reason makes.
  mutating func say(_ status: UInt16, _ reason: Reason?, body: String?, headers: [AnswerHeader]) {
    (answer.status, answer.reason) = (status, reason)
    scriptedBody = body.map { Array($0.utf8) }
    addedHeaders = headers
  }
}

/// A header of an answer that a rule adds.
package struct AnswerHeader: Hashable, Sendable {
  /// In lower case, as HTTP/2 has it (RFC 9113, 8.2).
  package var name: String
  package var value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

/// What an answer says of channels.
package struct ChannelAnswer: Hashable, Sendable {
  /// The identifier of a channel that was created, in Base64.
  package var id: [UInt8] = []
  /// A channel, or the list of them.
  package var body: [UInt8] = []
}

/// Actions for the listener to perform on a connection of requests after it handed some in.
package struct RequestActions: Hashable, Sendable {
  /// The answers that leave now, in order. A request without one is answered later, or never.
  package var answers: [RequestAnswer] = []
  package var ending = ConnectionEnding.none

  package init() {}

  package static let none = RequestActions()

  package var isEmpty: Bool { answers.isEmpty && ending == .none }
}
