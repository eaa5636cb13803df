import APNSimWire

/// Tells the moments of a connection as steps: runs of alike notifications as one, long silences as one.
struct StoryTeller {
  /// A longer time without anything is told.
  static let silence = TimeSpan.seconds(10)
  /// More requests than so many between two other things are told by what was answered.
  static let mostSingles = 20

  private let view: ConnectionView
  /// Answers that have not left yet.
  private let waiting: Int
  private var steps: StorySteps
  private var run = StoryRun()
  private var last: Timestamp
  /// Notifications of the connection that were told.
  private var told: UInt64 = 0
  /// The notifications that came again, and on which connections, in order.
  private var resends: [Resend] = []
  private var openings: [ConnectionID: Timestamp] = [:]
  /// The rules and tokens of the requests that had some, by their streams; of very many the latest.
  private var scripts: [UInt32: StoryScript] = [:]
  private static let mostScripts = 10_000

  private struct Resend {
    let connection: ConnectionID
    let at: Timestamp
    var until: Timestamp
    var references: [ProviderReference]
    var count = 1
    var numbers: ClosedRange<UInt64>
  }

  init(_ view: ConnectionView, waiting: Int = 0) {
    (self.view, self.waiting) = (view, waiting)
    last = view.openedAt
    steps = StorySteps(most: ConnectionStory.mostSteps)
    steps.append(StoryWords.handshake(view))
  }

  /// Takes the next moment.
  mutating func tell(_ moment: StoryMoment) {
    if case .resent(let reference, let number, let connection) = moment.kind {
      return note(reference, number, connection, at: moment.at)
    }
    if moment.at - last > Self.silence {
      flush()
      steps.append(StoryWords.silence(from: last, to: moment.at))
    }
    last = max(last, moment.at)
    switch moment.kind {
    case .notification(let notification):
      told += 1
      if !run.takes(notification) { flush() }
      run.add(notification, at: moment.at)
      note(notification.fate.script, ofStream: notification.stream)
    case .answered(let number, let stream, let status, let script):
      run.add(StoryRun.Answer(number: number, stream: stream, status: status, script: script), at: moment.at)
    case .event(let event, let script):
      flush()
      let staged = script ?? self.script(of: event)
      if let step = StoryWords.step(of: event, at: moment.at) { steps.append(step.scripted(by: staged)) }
    case .resent: break
    }
  }

  private mutating func note(_ script: StoryScript?, ofStream stream: UInt32?) {
    guard let script, let stream else { return }
    if scripts.count >= Self.mostScripts { scripts.removeAll() }
    scripts[stream] = script
  }

  /// The rule or the token of the request at whose stream a fault struck.
  private func script(of event: Event) -> StoryScript? {
    guard case .requestFault(_, _, let stream, _) = event else { return nil }
    return scripts[stream].map { StoryScript(name: $0.name, decides: true) }
  }

  /// Notes when a connection opened on which something came again.
  mutating func note(_ connection: ConnectionID, openedAt: Timestamp) { openings[connection] = openedAt }

  private mutating func note(
    _ reference: ProviderReference,
    _ number: UInt64,
    _ connection: ConnectionID,
    at moment: Timestamp
  ) {
    guard let index = resends.indices.last, resends[index].connection == connection else {
      resends.append(
        Resend(
          connection: connection,
          at: moment,
          until: moment,
          references: [reference],
          numbers: number...number
        )
      )
      return
    }
    resends[index].until = moment
    resends[index].count += 1
    if resends[index].references.count < StoryWords.mostNames { resends[index].references.append(reference) }
    resends[index].numbers =
      resends[index].numbers.lowerBound...max(number, resends[index].numbers.upperBound)
  }

  private mutating func flush() {
    for step in run.take() { steps.append(step) }
  }

  /// Ends the story.
  mutating func finish() -> ConnectionStory {
    flush()
    if view.counts.received > told {
      steps.insertMissing(Int(clamping: view.counts.received - told), at: view.openedAt)
    }
    var since = last
    for resend in resends.prefix(100) {
      if let opened = openings[resend.connection], opened > since {
        steps.append(StoryWords.reconnected(resend.connection, after: opened - since, at: opened))
        since = opened
      }
      var step = StoryWords.resent(
        resend.references,
        count: resend.count,
        on: resend.connection,
        at: resend.at
      )
      step.until = resend.count > 1 ? resend.until : nil
      step.notifications = resend.numbers
      steps.append(step)
      since = max(since, resend.until)
    }
    if let step = StoryWords.lost(view.resend, at: since) { steps.append(step) }
    var story = ConnectionStory()
    story.cost = cost
    story.steps = steps.all
    (story.sentence, story.why) = StoryWords.sentences(view, story.cost)
    return story
  }

  private var cost: ConnectionStory.Cost {
    var cost = ConnectionStory.Cost(counts: view.counts)
    if view.listener == .http2 {
      let unanswered = UInt64(view.resend.unanswered.count)
      cost.unanswered = unanswered
      cost.answered = view.counts.received - min(view.counts.received, unanswered + UInt64(waiting))
    }
    cost.resent = UInt64(view.resend.resent.count)
    cost.lost = UInt64(view.resend.lost.count)
    cost.notFollowed = view.resend.notFollowed
    cost.isAwaited = view.resend.isAwaited
    for resend in resends where !cost.resentOn.contains(resend.connection) && cost.resentOn.count < 100 {
      cost.resentOn.append(resend.connection)
    }
    return cost
  }
}

/// The steps of a story within their bound: of very many the first and the last.
struct StorySteps {
  private var first: [ConnectionStory.Step] = []
  private var newest: [ConnectionStory.Step] = []
  private var omitted = 0
  private let most: Int

  init(most: Int) { self.most = most }

  mutating func append(_ step: ConnectionStory.Step) {
    guard first.count >= most / 2 else { return first.append(step) }
    newest.append(step)
    // Let go of in stretches, so that a step costs the same however many there are.
    guard newest.count >= most else { return }
    omitted += newest.count - most / 2
    newest.removeFirst(newest.count - most / 2)
  }

  /// Says after the handshake that notifications are not kept any more.
  mutating func insertMissing(_ count: Int, at moment: Timestamp) {
    let text = "\(Number.counted(count, "notification")) not kept any more"
    let step = ConnectionStory.Step(at: moment, by: .provider, kind: .silence, text: text, count: count)
    first.insert(step, at: min(1, first.count))
  }

  var all: [ConnectionStory.Step] {
    let kept = newest.suffix(most / 2)
    let left = omitted + newest.count - kept.count
    guard left > 0, let next = kept.first else { return first + kept }
    let text = "\(Number.counted(left, "step")) left out"
    return first + [.init(at: next.at, by: .service, kind: .silence, text: text, count: left)] + kept
  }
}
