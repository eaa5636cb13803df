package import APNSimWire

/// A connection as people and programs look at it, with what its provider has to make good.
package struct ConnectionView: Sendable {
  package var id: ConnectionID
  package var listener: Listener
  package var opening: ConnectionOpening
  package var openedAt: Timestamp
  package var closedAt: Timestamp?
  package var closing: ClosingReason?
  package var counts: ConnectionCounts
  package var error: (response: ErrorResponse, at: Timestamp)?
  package var resend: ResendReport
  package var tuplesRead: UInt64

  package var isOpen: Bool { closedAt == nil }
}

/// What an error or a shutdown cost a provider, and what it has resent since.
///
/// "The simulator knows which identifiers were accepted" is the rest of the connection's notifications.
package struct ResendReport: Hashable, Sendable {
  /// The notification the error response named.
  package var failed: [ProviderReference] = []
  /// Written after it, in order.
  package var discarded: [ProviderReference] = []
  /// Those of `discarded` that came again.
  package var resent: [ProviderReference] = []
  /// Those that have not.
  package var lost: [ProviderReference] = []
  /// How many were discarded and are in neither list, because there was no room to follow them all: those past what
  /// `discarded` lists, and the oldest listed ones that had not come again when newer ones needed their room.
  package var notFollowed: UInt64 = 0
}

extension ConnectionRecord {
  var view: ConnectionView {
    var resend = ResendReport(failed: failed, discarded: discarded.map(\.reference))
    for discard in discarded {
      switch discard.fate {
      case .awaited: resend.lost.append(discard.reference)
      case .resent: resend.resent.append(discard.reference)
      case .notFollowed: break
      }
    }
    let known = UInt64(resend.lost.count + resend.resent.count)
    resend.notFollowed = counts.discarded > known ? counts.discarded - known : 0
    return ConnectionView(
      id: id,
      listener: listener,
      opening: opening,
      openedAt: openedAt,
      closedAt: closedAt,
      closing: closing,
      counts: counts,
      error: error,
      resend: resend,
      tuplesRead: tuplesRead
    )
  }
}
