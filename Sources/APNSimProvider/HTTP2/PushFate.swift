import APNSimWire

/// The answer to a push.
package struct PushAnswer: Sendable, Equatable {
  /// The HTTP status.
  package var status: Int
  /// The word in the body of an error; nil for a success, and for a body without one.
  package var reason: String?
  /// The notification's `apns-id`.
  package var id: String?
  /// Of a 410: when the device was last known to have the app, in milliseconds since 1970.
  package var timestamp: Int64?

  package init(status: Int, reason: String? = nil, id: String? = nil, timestamp: Int64? = nil) {
    (self.status, self.reason, self.id, self.timestamp) = (status, reason, id, timestamp)
  }

  package var isSuccess: Bool { status == 200 }

  /// Apple's description of the reason; nil for a reason that it does not list.
  package var meaning: String? { reason.flatMap { Reason(name: $0)?.row.description } }
}

/// The fate of a push, as far as its provider can know.
package enum PushFate: Sendable, Equatable {
  case answered(PushAnswer)
  /// RST_STREAM with REFUSED_STREAM: not processed, and to be sent again.
  case refused
  /// RST_STREAM with another code, by its name: there is no telling whether it was processed.
  case reset(String)
  /// Above the last stream of GOAWAY: not processed, and to be sent again over a new connection.
  case goneAway
  /// Nothing came within the wait, or the connection ended: there is no telling whether it was processed.
  case unanswered
  /// Never written, because the connection ended or took no more requests.
  case notSent
}
