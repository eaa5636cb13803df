extension World {
  func view(of connection: Connection) -> ConnectionView {
    var view = connection.view
    if case .http2(let record) = connection, !view.resend.lost.isEmpty {
      let apps = record.unanswered.filter { if case .awaited = $0.fate { true } else { false } }.map(\.app)
      view.resend.isAwaited = apps.contains { self.apps[$0].diligence.awaitsUnanswered }
    }
    if case .http2(let record) = connection {
      view.resend.duplicatedCauses = record.duplicated.map { cause(ofDuplicate: $0, on: record) }
    }
    if case .gateway(let record) = connection, let last = record.error?.at ?? record.closed?.at {
      view.resend.isAwaited =
        !view.resend.lost.isEmpty && apps[record.app].diligence.awaits(discardedAt: last)
    }
    return view
  }

  /// The cause for which a provider sent again what had been accepted: the fault that withheld its answer, or the
  /// connection's end.
  private func cause(ofDuplicate number: UInt64, on connection: RequestRecord) -> String {
    let otherwise = "the connection ended"
    guard connection.unansweredNumbers.contains(number), history.notifications.contains(number) else {
      return otherwise
    }
    let record = history.notifications[number]
    let token = record.fields.token(in: history.evidence(of: record))
    switch book.decision(on: record, token: token) {
    case .request(let fault)?: return fault.name.description
    case .end(let ending)?: return ending.faultName
    default: return record.isAnswerLater ? "its answer's delay" : otherwise
    }
  }
}
