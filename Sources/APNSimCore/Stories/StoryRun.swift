import APNSimWire

/// Notifications that follow each other on a connection, until something else happens.
///
/// Frames of one fate in a row are one step. Requests are a step each with their answers, and by what was answered once
/// there are very many.
struct StoryRun {
  struct Answer: Sendable {
    var number: UInt64
    var stream: UInt32
    var status: RequestStatus?
    var script: StoryScript?
  }

  private struct Group {
    var at: Timestamp
    var until: Timestamp
    var count = 0
    var bytes = 0
    var numbers: ClosedRange<UInt64>
    /// The first few, by name.
    var first: [StoryMoment.Notification] = []

    init(_ number: UInt64, at moment: Timestamp) {
      (at, until, numbers) = (moment, moment, number...number)
    }

    mutating func add(_ number: UInt64, bytes more: Int, at moment: Timestamp) {
      count += 1
      bytes += more
      until = max(until, moment)
      numbers = min(numbers.lowerBound, number)...max(numbers.upperBound, number)
    }
  }

  /// Frames, all of one fate.
  private var frames: (fate: StoryFate, group: Group)?
  /// Requests and late answers in their order, while they are few.
  private var singles: [ConnectionStory.Step] = []
  private var requests = 0
  /// All requests and answers, by what became of them, in the order in which that was first so.
  private var fates: [(fate: StoryFate, group: Group)] = []
  private var answers: [(status: RequestStatus?, script: StoryScript?, group: Group)] = []

  /// True where a notification goes on with what there is.
  func takes(_ notification: StoryMoment.Notification) -> Bool {
    if notification.stream != nil { return frames == nil }
    return requests == 0 && (frames?.fate ?? notification.fate) == notification.fate
  }

  mutating func add(_ notification: StoryMoment.Notification, at moment: Timestamp) {
    guard let stream = notification.stream else {
      var group = frames?.group ?? Group(notification.number, at: moment)
      group.add(notification.number, bytes: notification.bytes, at: moment)
      if group.first.count < StoryWords.mostNames { group.first.append(notification) }
      frames = (notification.fate, group)
      return
    }
    requests += 1
    if let index = fates.firstIndex(where: { $0.fate == notification.fate }) {
      fates[index].group.add(notification.number, bytes: notification.bytes, at: moment)
    } else {
      var group = Group(notification.number, at: moment)
      group.add(notification.number, bytes: notification.bytes, at: moment)
      fates.append((notification.fate, group))
    }
    if isFew { singles.append(StoryWords.request(notification, stream: stream, at: moment)) }
    guard let status = notification.fate.answer else { return }
    let script = notification.fate.script
    add(Answer(number: notification.number, stream: stream, status: status, script: script), at: moment)
  }

  mutating func add(_ answer: Answer, at moment: Timestamp) {
    if let index = answers.firstIndex(where: { $0.status == answer.status && $0.script == answer.script }) {
      answers[index].group.add(answer.number, bytes: 0, at: moment)
    } else {
      var group = Group(answer.number, at: moment)
      group.add(answer.number, bytes: 0, at: moment)
      answers.append((answer.status, answer.script, group))
    }
    if isFew { singles.append(StoryWords.answer(answer, at: moment)) }
  }

  private var isFew: Bool {
    requests <= StoryTeller.mostSingles && singles.count <= 2 * StoryTeller.mostSingles
  }

  /// Takes what there is as steps.
  mutating func take() -> [ConnectionStory.Step] {
    defer { self = StoryRun() }
    if let frames { return [step(frames.fate, frames.group)] }
    if isFew { return singles }
    let all =
      fates.map { step($0.fate, $0.group) }
      + answers.map { step($0.status, $0.group).scripted(by: $0.script) }
    return all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private func step(_ fate: StoryFate, _ group: Group) -> ConnectionStory.Step {
    var step = StoryWords.notifications(
      fate,
      count: group.count,
      bytes: group.bytes,
      group.first,
      at: group.at
    )
    step.until = group.count > 1 ? group.until : nil
    step.notifications = group.numbers
    return step
  }

  private func step(_ status: RequestStatus?, _ group: Group) -> ConnectionStory.Step {
    var step = StoryWords.answers(status, count: group.count, at: group.at)
    step.until = group.count > 1 ? group.until : nil
    step.notifications = group.numbers
    return step
  }
}
