extension World {
  func view(of connection: Connection) -> ConnectionView {
    var view = connection.view
    if case .http2(let record) = connection, !view.resend.lost.isEmpty {
      let apps = record.unanswered.filter { if case .awaited = $0.fate { true } else { false } }.map(\.app)
      view.resend.isAwaited = apps.contains { self.apps[$0].diligence.awaitsUnanswered }
    }
    if case .gateway(let record) = connection, let last = record.error?.at ?? record.closed?.at {
      view.resend.isAwaited =
        !view.resend.lost.isEmpty && apps[record.app].diligence.awaits(discardedAt: last)
    }
    return view
  }
}
