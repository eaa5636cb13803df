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
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      row("connectionOpened", opening.provider.byteCount) {
        opening.writeMembers(to: &$0, id, listener, ordinal)
      }
    case .connectionClosed(let id, let reason, let byService, let counts):
      row("connectionClosed", 0) { $0.closing(id, reason, byService: byService, counts) }
    case .deviceConnected(let id, let opening):
      row("connectionOpened", opening.byteCount) { opening.writeMembers(to: &$0, id) }
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      row("connectionClosed", 0) { $0.closing(id, reason, device, delivered: delivered, lost: lost) }
    case .connectionRefused(let listener, let peer, let reason, let subject):
      row("connectionRefused", reason.utf8.count + subject.utf8.count) {
        $0.refusal(listener, peer, reason, subject)
      }
    case .connectionTurnedAway(let listener, let opening, let reason):
      row("connectionRefused", opening.provider.byteCount) { $0.refusal(listener, opening, reason) }
    case .connectionArrived(let listener, let ordinal, let delay):
      row("connectionArrived", 0) { $0.arrival(listener, ordinal, delay) }
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      row("certificateJudged", provider.byteCount) { $0.judgement(listener, ordinal, provider, refusal) }
    case .inputEnded(let id): row("inputEnded", 0) { $0.connection(id) }
    case .shutdown(let id): row("shutdown", 0) { $0.connection(id) }
    case .linesSent(let id, let count): row("linesSent", 0) { $0.connection(id, "count", count) }
    case .deviceSilent(let id, let seconds): row("deviceSilent", 0) { $0.connection(id, "seconds", seconds) }

    case .command(let command, let wall): row("command", command.byteCount) { $0.command(command, wall) }
    case .commandFailed(let reason): row("commandFailed", reason.utf8.count) { $0.member("reason", reason) }
    case .clockChanged(let change): row("clockChanged", 0) { change.writeMembers(to: &$0) }
    case .historyCleared: row("historyCleared", 0) { _ in }
    case .timelineFailed(let reason): row("timelineFailed", reason.utf8.count) { $0.member("reason", reason) }
    case .expectation(let text, let isSatisfied, let found):
      row("expectation", 0) { $0.expectation(text, isSatisfied, found) }

    case .bytesIn(let id, let bytes, let count):
      row("bytesIn", bytes.count) { $0.transfer(id, bytes, count: count) }
    case .bytesOut(let id, let bytes): row("bytesOut", bytes.count) { $0.transfer(id, bytes) }
    case .errorSent(let id, let response, let notification, let byteCount, let isLost):
      row("errorSent", 0) { $0.error(id, response, notification, byteCount, isLost: isLost) }
    case .answered(let id, let stream, let notification):
      row("answered", 0) { $0.answer(id, stream, notification) }
    case .streamGivenUp(let id, let stream, let notification, let code):
      row("streamReset", 0) { $0.reset(id, stream, notification, code) }
    case .requestMalformed(let id, let malformed):
      row("streamReset", malformed.header.utf8.count) { $0.malformation(id, malformed) }
    case .resent(let id, let reference, let notification):
      row("resent", 0) { $0.resending(id, reference, notification) }
    case .faultFired(let id, let name): row("faultFired", 0) { $0.fault(id, name) }
    case .requestFault(let id, let name, let stream, let frame):
      row("faultFired", frame?.byteCount ?? 0) { $0.fault(id, name, stream, frame) }
    case .outcome(let outcome, let number, let device, let app, let detail):
      row(outcome.description, 0) { $0.outcome(outcome, number, device, app, detail) }

    case .feedbackAdded(let app, let tuple, let isScripted):
      row("feedbackAdded", tuple.token.count) { $0.feedback(app, tuple, isScripted: isScripted) }
    case .feedbackRead(let id, let app, let tuples, let bytes):
      row("feedbackRead", bytes.count) { $0.reading(id, app, tuples: tuples, bytes) }
    case .feedbackCleared(let app): row("feedbackCleared", 0) { app?.writeMembers(to: &$0) }

    case .deviceAdded(let name, let isOnline): row("deviceAdded", 0) { $0.device(name, isOnline: isOnline) }
    case .deviceRemoved(let name): row("deviceRemoved", 0) { $0.member("device", name) }
    case .deviceOnline(let name): row("deviceOnline", 0) { $0.member("device", name) }
    case .deviceOffline(let name): row("deviceOffline", 0) { $0.member("device", name) }
    case .appInstalled(let device, let app, let token, let isIssued):
      row("appInstalled", token.count) { $0.registration(device, app, token, isIssued: isIssued) }
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
