import APNSimWire

/// An answer that waits to be sent.
struct PendingReply {
  /// The exchange of its connection that it answers: 0 on the binary interface, which has no other.
  var exchange: UInt32 = 0
  var response: ErrorResponse
  /// The number of the notification it answers.
  var notification: UInt64
  var reply: Reply
  /// The number of frames that are still to be read and discarded before it leaves.
  var framesLeft: Int

  /// The bytes that will be written of it.
  var bytes: [UInt8] { reply.isLost ? [] : Array(response.bytes.prefix(max(0, reply.packet.byteCount))) }
}

/// The answers of one connection that have not left yet, in the order in which they came, one for each exchange.
///
/// An interface whose connections have one answer in all has at most one here.
struct PendingReplies {
  private var waiting: [PendingReply] = []

  var isEmpty: Bool { waiting.isEmpty }
  var first: PendingReply? { waiting.first }

  subscript(exchange: UInt32) -> PendingReply? { waiting.first { $0.exchange == exchange } }

  /// The replies that wait for a moment and not for frames.
  var timed: [PendingReply] { waiting.filter { $0.framesLeft == 0 } }

  /// Adds an answer, or puts it in the place of the one to the same exchange.
  mutating func put(_ reply: PendingReply) {
    if let place = waiting.firstIndex(where: { $0.exchange == reply.exchange }) {
      waiting[place] = reply
    } else {
      waiting.append(reply)
    }
  }

  @discardableResult
  mutating func take(_ exchange: UInt32) -> PendingReply? {
    waiting.firstIndex { $0.exchange == exchange }.map { waiting.remove(at: $0) }
  }

  mutating func takeFirst() -> PendingReply? { waiting.isEmpty ? nil : waiting.removeFirst() }

  mutating func removeAll() { waiting = [] }
}

extension PendingReply: KeptByMembers {
  static let members = Members(Self.init, \.exchange, \.response, \.notification, \.reply, \.framesLeft)

  func complete(_ state: StateReader) throws(StateError) {
    guard framesLeft >= 0 else { throw state.error("frames to come were expected, and \(framesLeft) found") }
  }
}

extension PendingReplies: KeptByMembers {
  static let members = Members(Self.init, \.waiting)
}
