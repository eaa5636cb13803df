internal import APNSimWire

extension Event {
  /// Writes what a journal's line says of the event, in the order of keys that docs/journal.md has.
  /// - Parameter time: the line's own, which is not said twice.
  func writeMembers(to writer: inout JSONWriter, at time: Timestamp) {
    switch self {
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      opening.writeMembers(to: &writer, id, listener, ordinal)
    case .connectionClosed(let id, let reason, let byService, let counts):
      writer.member("connection", id.description)
      writer.member("reason", reason.rawValue)
      if reason == .reset, byService { writer.member("by", "service") }
      counts.writeMembers(to: &writer)
    case .deviceConnected(let id, let opening): opening.writeMembers(to: &writer, id)
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      writer.member("connection", id.description)
      writer.member("reason", reason.rawValue)
      writer.member("device", device)
      writer.member("delivered", delivered)
      writer.member("lost", lost)
    case .connectionRefused(let listener, let peer, let reason, let subject):
      writer.member("listener", listener.rawValue)
      writer.member("peer", peer)
      writer.member("reason", reason)
      writer.member("subject", subject)
    case .connectionTurnedAway(let listener, let opening, let reason):
      writer.member("listener", listener.rawValue)
      writer.member("peer", opening.peer)
      writer.member("reason", reason)
      writer.member("subject", opening.provider.subject)
      if let ordinal = opening.ordinal {
        writer.member("ordinal", ordinal)
      }
      writer.provider(opening.provider)
    case .connectionArrived(let listener, let ordinal, let delay):
      writer.member("listener", listener.rawValue)
      writer.member("ordinal", ordinal)
      if delay > .zero { writer.member("acceptDelay", delay.description) }
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      writer.member("listener", listener.rawValue)
      writer.member("ordinal", ordinal)
      writer.provider(provider)
      if let refusal {
        writer.key("refusal")
        refusal.write(to: &writer)
      }
    case .inputEnded(let id), .shutdown(let id): writer.member("connection", id.description)
    case .linesSent(let id, let count):
      writer.member("connection", id.description)
      writer.member("count", count)
    case .deviceSilent(let id, let seconds):
      writer.member("connection", id.description)
      writer.member("seconds", seconds)
    case .command(let command, let wall):
      writer.key("do")
      command.write(to: &writer)
      if let wall, wall != time { writer.member("wall", wall.description) }
    case .commandFailed(let reason): writer.member("reason", reason)
    case .bytesIn(let id, let bytes, let count):
      writer.member("connection", id.description)
      writer.member("bytes", base64: bytes)
      writer.member("count", count)
    case .bytesOut(let id, let bytes):
      writer.member("connection", id.description)
      writer.member("bytes", base64: bytes)
    case .errorSent(let id, let response, let notification, let byteCount, let isLost):
      writer.member("connection", id.description)
      if notification > 0 { writer.member("notification", "n\(notification)") }
      writer.member("status", response.status.rawValue)
      writer.member("name", response.status.name)
      writer.member("identifier", response.identifier.hex)
      writer.member("bytes", base64: isLost ? [] : response.bytes.prefix(byteCount))
      if isLost {
        writer.member("lost", true)
      }
    case .resent(let id, let reference, let notification):
      writer.member("notification", "n\(notification)")
      writer.member("discardedOn", id.description)
      writer.member("discarded", reference.description)
    case .faultFired(let id, let name):
      writer.member("connection", id.description)
      writer.member("fault", name)
    case .outcome(let outcome, let number, let device, let app, let detail):
      writer.member("notification", "n\(number)")
      writer.member("device", device.description)
      writer.app(app)
      if outcome == .replaced { writer.member("by", "n\(detail)") }
      if outcome == .expired { writer.member("because", detail == 1 ? "expiry" : "storagePeriod") }
    case .feedbackAdded(let app, let tuple, let isScripted):
      writer.app(app)
      writer.member("token", hex: tuple.token)
      writer.member("timestamp", tuple.timestamp)
      writer.member("scripted", isScripted)
    case .feedbackRead(let id, let app, let tuples, let bytes):
      writer.member("connection", id.description)
      writer.app(app)
      writer.member("tuples", tuples)
      writer.member("bytes", base64: bytes)
    case .feedbackCleared(let app):
      if let app { writer.app(app) }
    case .deviceAdded(let name, let isOnline):
      writer.member("device", name)
      writer.member("online", isOnline)
    case .deviceRemoved(let name), .deviceOnline(let name), .deviceOffline(let name):
      writer.member("device", name)
    case .appInstalled(let device, let app, let token, let isIssued):
      writer.registration(device, app, token)
      writer.member("issued", isIssued)
    case .appUninstalled(let device, let app, let token), .appRemoved(let device, let app, let token):
      writer.registration(device, app, token)
    case .clockChanged(let change): change.writeMembers(to: &writer)
    case .historyCleared: break
    case .timelineFailed(let reason): writer.member("reason", reason)
    case .expectation(let text, let isSatisfied, let found):
      writer.member("expects", text)
      writer.member("ok", isSatisfied)
      writer.member("found", found)
    }
  }
}
