internal import APNSimWire

extension Event {
  /// Writes what a journal's line says of the event, in the order of keys that docs/journal.md has.
  /// - Parameter time: the line's own, which is not said twice.
  func writeMembers(to writer: inout JSONWriter, at time: Timestamp) {
    switch self {
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      opening.writeMembers(to: &writer, id, listener, ordinal)
    case .connectionClosed(let id, let reason, let counts):
      writer.field("connection", id.description)
      writer.field("reason", reason.rawValue)
      counts.writeMembers(to: &writer)
    case .deviceConnected(let id, let opening): opening.writeMembers(to: &writer, id)
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      writer.field("connection", id.description)
      writer.field("reason", reason.rawValue)
      writer.field("device", device)
      writer.key("delivered")
      writer.int(delivered)
      writer.key("lost")
      writer.int(lost)
    case .connectionRefused(let listener, let peer, let reason, let subject):
      writer.field("listener", listener.rawValue)
      writer.field("peer", peer)
      writer.field("reason", reason)
      writer.field("subject", subject)
    case .connectionTurnedAway(let listener, let opening, let reason):
      writer.field("listener", listener.rawValue)
      writer.field("peer", opening.peer)
      writer.field("reason", reason)
      writer.field("subject", opening.provider.subject)
      if let ordinal = opening.ordinal {
        writer.key("ordinal")
        writer.int(ordinal)
      }
      writer.provider(opening.provider)
    case .connectionArrived(let listener, let ordinal, let delay):
      writer.field("listener", listener.rawValue)
      writer.key("ordinal")
      writer.int(ordinal)
      if delay > .zero { writer.field("acceptDelay", delay.description) }
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      writer.field("listener", listener.rawValue)
      writer.key("ordinal")
      writer.int(ordinal)
      writer.provider(provider)
      if let refusal {
        writer.key("refusal")
        refusal.write(to: &writer)
      }
    case .inputEnded(let id), .shutdown(let id): writer.field("connection", id.description)
    case .linesSent(let id, let count):
      writer.field("connection", id.description)
      writer.key("count")
      writer.int(count)
    case .deviceSilent(let id, let seconds):
      writer.field("connection", id.description)
      writer.key("seconds")
      writer.int(seconds)
    case .command(let command, let wall):
      writer.key("do")
      command.write(to: &writer)
      if let wall, wall != time { writer.field("wall", wall.description) }
    case .commandFailed(let reason): writer.field("reason", reason)
    case .bytesIn(let id, let bytes, let count):
      writer.field("connection", id.description)
      writer.key("bytes")
      writer.base64(bytes)
      writer.key("count")
      writer.int(count)
    case .bytesOut(let id, let bytes):
      writer.field("connection", id.description)
      writer.key("bytes")
      writer.base64(bytes)
    case .errorSent(let id, let response, let notification, let byteCount, let isLost):
      writer.field("connection", id.description)
      if notification > 0 { writer.field("notification", "n\(notification)") }
      writer.key("status")
      writer.int(response.status.rawValue)
      writer.field("name", response.status.name)
      writer.field("identifier", response.identifier.hex)
      writer.key("bytes")
      writer.base64(isLost ? [] : response.bytes.prefix(byteCount))
      if isLost {
        writer.key("lost")
        writer.bool(true)
      }
    case .resent(let id, let reference, let notification):
      writer.field("notification", "n\(notification)")
      writer.field("discardedOn", id.description)
      writer.field("discarded", reference.description)
    case .faultFired(let id, let name):
      writer.field("connection", id.description)
      writer.field("fault", name)
    case .outcome(let outcome, let number, let device, let app, let detail):
      writer.field("notification", "n\(number)")
      writer.field("device", device)
      writer.app(app)
      if outcome == .replaced { writer.field("by", "n\(detail)") }
      if outcome == .expired { writer.field("because", detail == 1 ? "expiry" : "storagePeriod") }
    case .feedbackAdded(let app, let tuple, let isScripted):
      writer.app(app)
      writer.key("token")
      writer.hex(tuple.token)
      writer.key("timestamp")
      writer.int(tuple.timestamp)
      writer.key("scripted")
      writer.bool(isScripted)
    case .feedbackRead(let id, let app, let tuples, let bytes):
      writer.field("connection", id.description)
      writer.app(app)
      writer.key("tuples")
      writer.int(tuples)
      writer.key("bytes")
      writer.base64(bytes)
    case .feedbackCleared(let app):
      if let app { writer.app(app) }
    case .deviceAdded(let name, let isOnline):
      writer.field("device", name)
      writer.key("online")
      writer.bool(isOnline)
    case .deviceRemoved(let name), .deviceOnline(let name), .deviceOffline(let name):
      writer.field("device", name)
    case .appInstalled(let device, let app, let token, let isIssued):
      writer.registration(device, app, token)
      writer.key("issued")
      writer.bool(isIssued)
    case .appUninstalled(let device, let app, let token), .appRemoved(let device, let app, let token):
      writer.registration(device, app, token)
    case .clockChanged(let change): change.writeMembers(to: &writer)
    case .historyCleared: break
    case .timelineFailed(let reason): writer.field("reason", reason)
    case .expectation(let text, let isSatisfied, let found):
      writer.field("expects", text)
      writer.key("ok")
      writer.bool(isSatisfied)
      writer.key("found")
      writer.int(found)
    }
  }
}
