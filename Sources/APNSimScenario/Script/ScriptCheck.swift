package import APNSimCore

/// An expectation of a file that is judged by whoever runs it, or by the core at the end.
package struct ScriptCheck: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// An expectation that the core can judge. Names of connections in it are those of the file.
    case simulator(Expectation)
    /// A test of what one connection of the traffic received.
    case connection(String, ConnectionTest)
  }

  package var subject: Subject
  /// The moment of judging; nil is the end of the run.
  package var at: TimeSpan?
  /// Its text in a report: `line 33: …`.
  package var text: String
}

/// The expected view of one scripted connection. A member that is nil is not tested.
package struct ConnectionTest: Hashable, Sendable {
  /// Every byte that came back.
  package var received: [UInt8]?
  /// The answers to requests, in order: each a status, a reason or both.
  package var answers: [String]?
  package var ending: TrafficEnding?
  /// The TLS alert that refused the certificate.
  package var alert: UInt8?
  /// The number of TLS records that carried the bytes; not tested over a network, which may join them.
  package var records: CountTest?
  /// The number of whole feedback tuples.
  package var tuples: CountTest?
  /// The simulator's counts of its notifications, by name.
  package var counts: [Count] = []

  package struct Count: Hashable, Sendable {
    package var name: ConnectionCount
    package var test: CountTest
  }
}

/// A number that the simulator keeps of a connection.
package enum ConnectionCount: String, Hashable, Sendable, CaseIterable {
  case accepted
  case rejected
  case discarded
  /// The discarded ones that the provider sent again, and those that it did not.
  case resent
  case lost

  /// A sentence on it, for people who write a file.
  var meaning: String {
    switch self {
    case .accepted: "The notifications that were accepted."
    case .rejected: "The notifications that were refused."
    case .discarded: "The notifications that were discarded unread after an error."
    case .resent: "The discarded ones that the provider sent again."
    case .lost: "The discarded ones that it did not send again."
    }
  }

  package func value(in view: ConnectionView) -> Int {
    switch self {
    case .accepted: Int(clamping: view.counts.accepted)
    case .rejected: Int(clamping: view.counts.rejected)
    case .discarded: Int(clamping: view.counts.discarded)
    case .resent: view.resend.resent.count
    case .lost: view.resend.lost.count
    }
  }
}

/// The end of a connection, as its provider saw it.
package enum TrafficEnding: String, Hashable, Sendable, CaseIterable {
  /// It has not ended.
  case open
  /// An orderly end: close_notify and FIN.
  case close
  case reset
  /// It has not ended, but the gateway reads no more of it.
  case stopReading
  /// The handshake failed.
  case refused
}
