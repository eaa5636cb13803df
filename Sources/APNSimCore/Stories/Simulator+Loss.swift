import APNSimWire

extension Simulator {
  /// The loss that a reset would bring, and the rest that it would leave, in words.
  package var lossAtReset: String {
    let (stock, devices, rules) = withWorld { world in
      (
        (
          notifications: world.history.notifications.count,
          feedback: world.apps.reduce(0) { $0 + $1.ledger.count },
          connections: world.connections.openCount
        ), world.devices.liveDevices, world.book.order.count
      )
    }
    let parts = [
      (stock.notifications, "notification"), (devices, "device"), (rules, "fault"),
      (stock.feedback, "feedback tuple"),
    ].filter { $0.0 > 0 }.map { Number.counted($0.0, $0.1) }
    var text = parts.isEmpty ? "Nothing is lost." : "Loading it ends \(Self.and(parts))."
    if stock.connections > 0 {
      text +=
        " \(Number.counted(stock.connections, "open connection")) \(stock.connections == 1 ? "stays" : "stay") open."
    }
    return text
  }

  private static func and(_ parts: [String]) -> String {
    guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
