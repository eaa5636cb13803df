package import APNSimWire

extension Event {
  /// The table of events, one row each: the name in the journal, the bytes that the event carries beside its facts
  /// (those of names of devices and apps are shared with what has them, and not counted), and the members of its line
  /// in the order of keys that docs/journal.md has.
  ///
  /// Nothing escapes and nothing is allocated: the reader takes of a row what it needs.
  private func read<Result>(
    _ row: (@autoclosure () -> String, @autoclosure () -> Int, (inout JSONWriter) -> Void) -> Result
  ) -> Result {
    switch self {

    // MARK: Connections

    case .connectionOpened(let id, let listener, let ordinal, let opening):
      row("connectionOpened", opening.provider.byteCount) {
        opening.writeMembers(to: &$0, id, listener, ordinal)
      }
    case .connectionClosed(let id, let reason, let byService, let counts):
      row("connectionClosed", 0) { line in
        line.member("connection", id.description)
        line.member("reason", reason.rawValue)
        if reason == .reset, byService { line.member("by", "service") }
        counts.writeMembers(to: &line)
      }
    case .deviceConnected(let id, let opening):
      row("connectionOpened", opening.device.utf8.count + opening.subject.utf8.count) {
        opening.writeMembers(to: &$0, id)
      }
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      row("connectionClosed", 0) { line in
        line.member("connection", id.description)
        line.member("reason", reason.rawValue)
        line.member("device", device)
        line.member("delivered", delivered)
        line.member("lost", lost)
      }
    case .connectionRefused(let listener, let peer, let reason, let subject):
      row("connectionRefused", reason.utf8.count + subject.utf8.count) { line in
        line.member("listener", listener.rawValue)
        line.member("peer", peer)
        line.member("reason", reason)
        line.member("subject", subject)
      }
    case .connectionTurnedAway(let listener, let opening, let reason):
      row("connectionRefused", opening.provider.byteCount) { line in
        line.member("listener", listener.rawValue)
        line.member("peer", opening.peer)
        line.member("reason", reason)
        line.member("subject", opening.provider.subject)
        if let ordinal = opening.ordinal { line.member("ordinal", ordinal) }
        line.provider(opening.provider)
      }
    case .connectionArrived(let listener, let ordinal, let delay):
      row("connectionArrived", 0) { line in
        line.member("listener", listener.rawValue)
        line.member("ordinal", ordinal)
        if delay > .zero { line.member("acceptDelay", delay.description) }
      }
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      row("certificateJudged", provider.byteCount) { line in
        line.member("listener", listener.rawValue)
        line.member("ordinal", ordinal)
        line.provider(provider)
        if let refusal {
          line.key("refusal")
          refusal.write(to: &line)
        }
      }
    case .inputEnded(let id): row("inputEnded", 0) { $0.member("connection", id.description) }
    case .shutdown(let id): row("shutdown", 0) { $0.member("connection", id.description) }
    case .linesSent(let id, let count):
      row("linesSent", 0) { line in
        line.member("connection", id.description)
        line.member("count", count)
      }
    case .deviceSilent(let id, let seconds):
      row("deviceSilent", 0) { line in
        line.member("connection", id.description)
        line.member("seconds", seconds)
      }

    // MARK: Commands

    case .command(let command, let wall):
      row("command", command.byteCount) { line in
        line.key("do")
        command.write(to: &line)
        if let wall { line.member("wall", wall.description) }
      }
    case .commandFailed(let reason):
      row("commandFailed", reason.utf8.count) { $0.member("reason", reason) }
    case .clockChanged(let change): row("clockChanged", 0) { change.writeMembers(to: &$0) }
    case .historyCleared: row("historyCleared", 0) { _ in }
    case .timelineFailed(let reason):
      row("timelineFailed", reason.utf8.count) { $0.member("reason", reason) }
    case .expectation(let text, let isSatisfied, let found):
      row("expectation", 0) { line in
        line.member("expects", text)
        line.member("ok", isSatisfied)
        line.member("found", found)
      }

    // MARK: Bytes and answers

    case .bytesIn(let id, let bytes, let count):
      row("bytesIn", bytes.count) { line in
        line.member("connection", id.description)
        line.member("bytes", base64: bytes)
        line.member("count", count)
      }
    case .bytesOut(let id, let bytes):
      row("bytesOut", bytes.count) { line in
        line.member("connection", id.description)
        line.member("bytes", base64: bytes)
      }
    case .errorSent(let id, let response, let notification, let byteCount, let isLost):
      row("errorSent", 0) { line in
        line.member("connection", id.description)
        if notification > 0 { line.member("notification", "n\(notification)") }
        line.member("status", response.status.rawValue)
        line.member("name", response.status.name)
        line.member("identifier", response.identifier.hex)
        line.member("bytes", base64: isLost ? [] : response.bytes.prefix(byteCount))
        if isLost { line.member("lost", true) }
      }
    case .answered(let id, let stream, let notification):
      row("answered", 0) { line in
        line.member("connection", id.description)
        line.member("stream", stream)
        line.member("notification", "n\(notification)")
      }
    case .streamGivenUp(let id, let stream, let notification, let code):
      row("streamReset", 0) { line in
        line.member("connection", id.description)
        line.member("stream", stream)
        line.member("notification", "n\(notification)")
        line.member("code", code.name)
        line.member("by", "provider")
      }
    case .resent(let id, let reference, let notification):
      row("resent", 0) { line in
        line.member("notification", "n\(notification)")
        line.member("discardedOn", id.description)
        line.member("discarded", reference.description)
      }
    case .faultFired(let id, let name):
      row("faultFired", 0) { line in
        line.member("connection", id.description)
        line.member("fault", name)
      }
    case .requestFault(let id, let name, let stream, let frame):
      row("faultFired", frame?.byteCount ?? 0) { line in
        line.member("connection", id.description)
        line.member("fault", name)
        line.member("stream", stream)
        frame?.writeMembers(to: &line)
      }
    case .outcome(let outcome, let number, let device, let app, let detail):
      row(outcome.description, 0) { line in
        line.member("notification", "n\(number)")
        line.member("device", device.description)
        line.app(app)
        if outcome == .replaced { line.member("by", "n\(detail)") }
        if outcome == .expired { line.member("because", detail == 1 ? "expiry" : "storagePeriod") }
      }

    // MARK: Feedback

    case .feedbackAdded(let app, let tuple, let isScripted):
      row("feedbackAdded", tuple.token.count) { line in
        line.app(app)
        line.member("token", hex: tuple.token)
        line.member("timestamp", tuple.timestamp)
        line.member("scripted", isScripted)
      }
    case .feedbackRead(let id, let app, let tuples, let bytes):
      row("feedbackRead", bytes.count) { line in
        line.member("connection", id.description)
        line.app(app)
        line.member("tuples", tuples)
        line.member("bytes", base64: bytes)
      }
    case .feedbackCleared(let app):
      row("feedbackCleared", 0) { line in
        if let app { line.app(app) }
      }

    // MARK: Devices

    case .deviceAdded(let name, let isOnline):
      row("deviceAdded", 0) { line in
        line.member("device", name)
        line.member("online", isOnline)
      }
    case .deviceRemoved(let name): row("deviceRemoved", 0) { $0.member("device", name) }
    case .deviceOnline(let name): row("deviceOnline", 0) { $0.member("device", name) }
    case .deviceOffline(let name): row("deviceOffline", 0) { $0.member("device", name) }
    case .appInstalled(let device, let app, let token, let isIssued):
      row("appInstalled", token.count) { line in
        line.registration(device, app, token)
        line.member("issued", isIssued)
      }
    case .appUninstalled(let device, let app, let token):
      row("appUninstalled", token.count) { $0.registration(device, app, token) }
    case .appRemoved(let device, let app, let token):
      row("appRemoved", token.count) { $0.registration(device, app, token) }
    case .activity(let event): row(event.name, event.byteCount) { event.writeMembers(to: &$0) }
    case .channel(let event): row(event.name, 64) { event.writeMembers(to: &$0) }
    }
  }

  /// The event's name in the journal.
  package var name: String { read { name, _, _ in name() } }

  /// Bytes it carries beside its facts: those that the history's bound counts.
  var byteCount: Int { read { _, byteCount, _ in byteCount() } }

  /// Writes the members of the event's line but for the three that each line has.
  package func writeMembers(to writer: inout JSONWriter) { read { _, _, members in members(&writer) } }
}
