package import APNSimWire

/// The name of a notification in a report: the identifier its provider gave it, or by our number for command 0.
package enum ProviderReference: Hashable, Sendable, CustomStringConvertible {
  case identifier(NotificationIdentifier)
  case number(UInt64)

  package var description: String {
    switch self {
    case .identifier(let identifier): identifier.hex
    case .number(let number): "n\(number)"
    }
  }
}

/// A connection as people and programs look at it, with what its provider has to make good.
package struct ConnectionView: Sendable {
  package var id: ConnectionID
  package var listener: Listener
  package var opening: ConnectionOpening
  package var openedAt: Timestamp
  package var closedAt: Timestamp?
  package var closing: ClosingReason?
  package var counts = ConnectionCounts()
  package var error: SentError?
  package var resend = ResendReport()
  /// The last stream of GOAWAY and when it was sent; nil without one.
  package var goAway: (lastStream: UInt32, at: Timestamp)?
  package var tuplesRead: UInt64 = 0
  /// The malformed requests, which never became some.
  package var malformed = MalformedRequests()
  /// The frame of which the rest has not come, or had not when the connection ended.
  package var unfinished: UnfinishedFrame?

  package var isOpen: Bool { closedAt == nil }
}

/// The cost of an error or a shutdown to a provider, and what it has resent since.
///
/// "The simulator knows which identifiers were accepted" is the rest of the connection's notifications.
package struct ResendReport: Hashable, Sendable {
  /// The notification the error response named.
  package var failed: [ProviderReference] = []
  /// The requests over HTTP/2 that got no answer, in order: what a delay, a fault, a reset or a GOAWAY left so.
  package var unanswered: [ProviderReference] = []
  /// The part of `unanswered` that GOAWAY says is not processed, and the part that it does not say that of; both empty without
  /// a GOAWAY.
  package var aboveLastStream: [ProviderReference] = []
  package var upToLastStream: [ProviderReference] = []
  /// The part of `unanswered` that was accepted all the same.
  package var accepted: [ProviderReference] = []
  /// Written after it, in order.
  package var discarded: [ProviderReference] = []
  /// The part of `discarded` that came again.
  package var resent: [ProviderReference] = []
  /// The part that has not.
  package var lost: [ProviderReference] = []
  /// True while these may still come: the provider has sent little since, and no advice speaks of them.
  package var isAwaited = false
  /// Accepted before the error, and accepted again on a later connection: what stands was not to be sent again.
  package var duplicated: [ProviderReference] = []
  /// Of requests, why each of these was sent again: the fault that withheld its answer, or the connection's end.
  package var duplicatedCauses: [String] = []
  /// The number of discarded ones that are in neither list, because there was no room to follow them all: those past what
  /// `discarded` lists, and the oldest listed ones that had not come again when newer ones needed their room.
  package var notFollowed: UInt64 = 0
}

extension ResendReport: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.list("failed", "What the error response named.") { $0.failed }
    $0.list("discarded", "What was sent after it.") { $0.discarded }
    $0.list("resent", "Of those, and of `unanswered`, what was sent again.") { $0.resent }
    $0.list("lost", "Of those, what was not.") { $0.lost }
    $0.list(
      "duplicated",
      """
      Accepted before the error, and accepted again on a later connection; over HTTP/2, accepted without an answer, or on a \
      connection that was reset, and accepted again.
      """
    ) { $0.duplicated }
    $0.optional(
      "duplicatedCauses",
      "Over HTTP/2, beside `duplicated` and in its order: the fault that withheld the answer, else `the connection ended`."
    ) { $0.duplicatedCauses.isEmpty ? nil : $0.duplicatedCauses }
    $0.optionalMembers { $0.unanswered.isEmpty ? nil : Unanswered(report: $0) }
    $0.member(
      "awaited",
      """
      True while those in `lost` may still be sent again: the provider has sent little since, and no advice speaks of \
      them yet.
      """
    ) { $0.isAwaited }
    $0.member("notFollowed", "Discarded too, but too many to tell whether they were sent again.") {
      $0.notFollowed
    }
  }

  private struct Unanswered: JSONObject {
    let report: ResendReport

    static let shape = JSONShape<Self> {
      $0.list(
        "unanswered",
        "Of a connection over HTTP/2, where there are any: the requests that got no answer."
      ) { $0.report.unanswered }
      $0.list(
        "aboveLastStream",
        """
        Beside `unanswered`: the part of it above the last stream of GOAWAY, which can be sent again; empty without a \
        GOAWAY.
        """
      ) { $0.report.aboveLastStream }
      $0.list(
        "upToLastStream",
        "Beside `unanswered`: the rest of it where there was a GOAWAY, which may have been processed."
      ) { $0.report.upToLastStream }
      $0.list(
        "accepted",
        """
        Beside `unanswered`: the part of it that was accepted all the same, so that it comes twice if it is sent again.
        """
      ) { $0.report.accepted }
    }
  }

  /// The same with at most so many notifications in each list.
  package func limited(to most: Int) -> ResendReport {
    var report = self
    let lists: [WritableKeyPath<ResendReport, [ProviderReference]>] = [
      \.failed, \.unanswered, \.aboveLastStream, \.upToLastStream, \.accepted, \.discarded, \.resent, \.lost,
      \.duplicated,
    ]
    report.duplicatedCauses = Array(duplicatedCauses.prefix(most))
    for list in lists where report[keyPath: list].count > most {
      report[keyPath: list].removeLast(report[keyPath: list].count - most)
    }
    return report
  }
}

extension ProviderReference: JSONText {
  package static let facts: [JSONFact] = [.pattern("^(?:[0-9a-f]{8}|n[0-9]+)$")]
}

extension RequestRecord {
  fileprivate var resendReport: ResendReport {
    var report = ResendReport()
    report.duplicated = duplicated.map { .number($0) }
    for request in unanswered {
      let reference = ProviderReference.number(request.notification)
      report.unanswered.append(reference)
      if request.isAccepted { report.accepted.append(reference) }
      if let goAway {
        if request.stream > goAway.lastStream {
          report.aboveLastStream.append(reference)
        } else {
          report.upToLastStream.append(reference)
        }
      }
      switch request.fate {
      case .awaited: report.lost.append(reference)
      case .resent: report.resent.append(reference)
      case .notFollowed: report.notFollowed += 1
      }
    }
    return report
  }
}

extension Connection {
  /// Without what depends on its app.
  var view: ConnectionView {
    var view = ConnectionView(
      id: record.id,
      listener: listener,
      opening: record.opening,
      openedAt: record.openedAt,
      closedAt: record.closed?.at,
      closing: record.closed?.reason
    )
    switch self {
    case .gateway(let record):
      (view.counts, view.error, view.resend) = (record.counts, record.error, record.resendReport)
      view.unfinished = record.progress.current
    case .feedback(let record): view.tuplesRead = record.tuplesRead
    case .http2(let record):
      (view.counts, view.resend) = (record.counts, record.resendReport)
      view.goAway = record.goAway.map { ($0.lastStream, $0.at) }
      view.malformed = record.malformed
    }
    return view
  }
}

extension GatewayRecord {
  fileprivate var resendReport: ResendReport {
    var report = ResendReport(failed: failed, discarded: discarded.map(\.reference))
    report.duplicated = duplicated.map { .identifier($0) }
    for discard in discarded {
      switch discard.fate {
      case .awaited: report.lost.append(discard.reference)
      case .resent: report.resent.append(discard.reference)
      case .notFollowed: break
      }
    }
    let known = UInt64(report.lost.count + report.resent.count)
    report.notFollowed = counts.discarded > known ? counts.discarded - known : 0
    return report
  }
}

extension ProviderReference: KeptByCases {
  enum Tag: UInt8, CaseIterable { case identifier, number }

  func write(to state: inout StateWriter) {
    switch self {
    case .identifier(let identifier): state.write(Tag.identifier, identifier)
    case .number(let number): state.write(Tag.number, number)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .identifier: try state.read(Self.identifier)
      case .number: try state.read(Self.number)
      }
  }
}
