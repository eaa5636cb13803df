import APNSimCore

/// Notifications are shown in their order, a request once it is known what became of its stream.
extension Replay {
  /// So many wait at most.
  private static let mostUnshown = 65_536

  func show(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard let observe else { return }
    if unshown.isEmpty, !isWaiting(notification, on: connection) { return observe(notification) }
    unshown.append((notification, connection))
    show(most: Self.mostUnshown)
  }

  /// Shows what waits at the end of the capture.
  func showRest() { show(most: 0) }

  private func show(most: Int) {
    while let (waiting, connection) = unshown.first,
      unshown.count > most || connection.isOver || !isWaiting(waiting, on: connection)
    {
      unshown.removeFirst()
      var notification = waiting
      if let request = notification.verdict.request {
        notification.stream = connection.streams.takeDifference(of: request.stream)
      }
      observe?(notification)
    }
  }

  private func isWaiting(_ notification: ReplayedNotification, on connection: ReplayConnection) -> Bool {
    notification.verdict.request.map { connection.streams.isWaiting($0.stream) } ?? false
  }
}
