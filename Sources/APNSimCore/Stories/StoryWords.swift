import APNSimWire

/// The words of a connection's steps.
enum StoryWords {
  typealias Step = ConnectionStory.Step

  /// As many notifications are named one by one.
  static let mostNames = 4

  static func handshake(_ view: ConnectionView) -> Step {
    let provider = view.opening.provider
    let topic = provider.topic.isEmpty ? "" : ", \(provider.topic)"
    let isEncrypted = !view.opening.tlsVersion.isEmpty
    let certificate = provider.subject.isEmpty ? "no client certificate" : provider.subject
    return Step(
      at: view.openedAt,
      by: .provider,
      kind: .handshake,
      text: (isEncrypted ? "TLS handshake" : "Connection") + topic,
      remark: isEncrypted ? "TLS \(view.opening.tlsVersion), \(certificate)" : ""
    )
  }

  static func silence(from start: Timestamp, to end: Timestamp) -> Step {
    var step = Step(
      at: start,
      by: .provider,
      kind: .silence,
      text: "\((end - start).words) without a byte"
    )
    step.until = end
    return step
  }

  static func reconnected(_ connection: ConnectionID, after pause: TimeSpan, at moment: Timestamp) -> Step {
    Step(
      at: moment,
      by: .provider,
      kind: .handshake,
      text: "\(pause.words), then a new connection: \(connection)",
      connection: connection
    )
  }

  // MARK: Notifications

  static func notifications(
    _ fate: StoryFate,
    count: Int,
    bytes: Int,
    _ first: [StoryMoment.Notification],
    at moment: Timestamp
  ) -> Step {
    let isRequest = first.isEmpty
    let size = Number.counted(bytes, "byte") + (isRequest ? " of payload" : "")
    let names = first.compactMap { $0.identifier?.hex }
    let noun = isRequest ? "request" : "notification"
    var text = "\(Number.counted(count, noun)), \(size)"
    // The notifications that need attention are named, where each has a name.
    if names.count == count, count == 1 || fate.standing != .accepted {
      text = names.joined(separator: "  ") + "  \(size)"
    }
    return Step(
      at: moment,
      by: .provider,
      kind: .frames,
      text: text,
      remark: remark(fate, count: count, isRequest: isRequest),
      count: count,
      bytes: bytes,
      fate: fate.standing
    )
    .scripted(by: fate.script)
  }

  private static func remark(_ fate: StoryFate, count: Int, isRequest: Bool) -> String {
    switch fate.standing {
    case .accepted where isRequest: ""
    case .accepted: count == 1 ? "accepted" : "all accepted: silence is the answer"
    case .rejected where isRequest: ""
    case .rejected where fate.status == 0: "refused"
    case .rejected: "refused: \(fate.status) \(StatusCode(rawValue: fate.status).name)"
    case .discarded: "already on the wire; discarded unread"
    case .unanswered: "never answered"
    case .resent: "sent again"
    case .lost: "never sent again"
    }
  }

  static func request(_ notification: StoryMoment.Notification, stream: UInt32, at moment: Timestamp) -> Step
  {
    Step(
      at: moment,
      by: .provider,
      kind: .frames,
      text: "stream \(stream), \(Number.counted(notification.bytes, "byte")) of payload",
      remark: remark(notification.fate, count: 1, isRequest: true),
      count: 1,
      notifications: notification.number...notification.number,
      bytes: notification.bytes,
      fate: notification.fate.standing
    )
    .scripted(by: notification.fate.script)
  }

  static func answer(_ answer: StoryRun.Answer, at moment: Timestamp) -> Step {
    var step = answers(answer.status, count: 1, at: moment)
    step.text += ", stream \(answer.stream)"
    step.notifications = answer.number > 0 ? answer.number...answer.number : nil
    return step.scripted(by: answer.script)
  }

  static func answers(_ status: RequestStatus?, count: Int, at moment: Timestamp) -> Step {
    let said = status?.text ?? "an answer"
    let isGood = (status?.number ?? 200) < 300
    return Step(
      at: moment,
      by: .service,
      kind: .answer,
      text: count == 1 ? said : "\(Number.counted(count, "answer")): \(said)",
      count: count,
      fate: isGood ? .accepted : .rejected
    )
  }

  static func resent(
    _ references: [ProviderReference],
    count: Int,
    on connection: ConnectionID,
    at moment: Timestamp
  ) -> Step {
    Step(
      at: moment,
      by: .provider,
      kind: .frames,
      text: names(references, of: count),
      remark: "on \(connection): sent again",
      count: count,
      fate: .resent,
      connection: connection
    )
  }

  /// The end of a story of which something never came again; nil where nothing is missing.
  static func lost(_ report: ResendReport, at moment: Timestamp) -> Step? {
    guard !report.lost.isEmpty else { return nil }
    let count = report.lost.count
    let verb = report.isAwaited ? "not come again yet" : "never came again"
    let has = report.isAwaited ? (count == 1 ? "has " : "have ") : ""
    return Step(
      at: moment,
      by: .provider,
      kind: .silence,
      text: "\(names(Array(report.lost.prefix(mostNames)), of: count)) \(has)\(verb)",
      remark: report.isAwaited ? "may still come" : "\(Number.grouped(count)) lost",
      count: count,
      fate: .lost
    )
  }

  private static func names(_ references: [ProviderReference], of count: Int) -> String {
    let names = references.map(\.description)
    guard count > names.count || names.count > 1 else { return names.first ?? "" }
    if count > names.count {
      return names.joined(separator: ", ") + " and \(Number.grouped(count - names.count)) more"
    }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
