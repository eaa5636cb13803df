package import APNSimCore

/// Something a file expects that is looked at by whoever runs it, or by the core at the end.
package struct ScriptCheck: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// Something the core can answer. Names of connections in it are those of the file.
    case simulator(Expectation)
    /// What one connection of the traffic got to see.
    case connection(String, ConnectionTest)
  }

  package var subject: Subject
  /// When it is looked at; nil is the end of the run.
  package var at: TimeSpan?
  /// How it reads in a report: `line 33: …`.
  package var text: String
}

/// What one scripted connection is to have seen. What is nil does not matter.
package struct ConnectionTest: Hashable, Sendable {
  /// Every byte that came back.
  package var received: [UInt8]?
  package var ending: TrafficEnding?
  /// The TLS alert that refused the certificate.
  package var alert: UInt8?
  /// In how many TLS records the bytes came; not looked at over a network, which may join them.
  package var records: CountTest?
  /// Whole feedback tuples.
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
  /// Of what was discarded: what its provider sent again, and what it did not.
  case resent
  case lost

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

/// How a connection ended, as its provider saw it.
package enum TrafficEnding: String, Hashable, Sendable, CaseIterable {
  /// It did not.
  case open
  /// In order: close_notify and FIN.
  case close
  case reset
  /// It did not end, but nothing more is read of it.
  case stopReading
  /// The handshake failed.
  case refused
}
