import APNSimWire

/// Notifications of the history in slices of time: how many were accepted and how many refused in each, and what changed.
package struct HistoryBars: Sendable {
  package let start: Timestamp
  /// The length of each slice.
  package let step: TimeSpan
  package private(set) var accepted: [Int]
  /// Answered with an error, or lost with one.
  package private(set) var refused: [Int]
  /// The feature that most of the refused ones of each slice have in common, if most do, and how sure that is.
  private var commonest: [(fate: JournalDigest.Fate, votes: Int)?]
  private var marks: [MarkKey: (mark: Mark, count: Int)] = [:]

  /// Something that changed what came after it.
  package struct Mark: Hashable, Sendable {
    package enum Kind: String, Hashable, JSONWord { case goaway, fault, clock, burst }

    package var at: Timestamp
    package var kind: Kind
    package var text: String
  }

  private struct MarkKey: Hashable {
    var bar: Int
    var kind: Mark.Kind
  }

  /// At most so many marks are shown, the oldest.
  package static let mostMarks = 60
  /// The refused notifications that make a slice a burst: at least so many, and so many times the usual number.
  private static let burst = (least: 10, times: 4)

  /// - Parameters:
  ///   - end: the moment at which the last slice is over, or soon after.
  ///   - count: the number of slices, at least one.
  package init(from start: Timestamp, to end: Timestamp, count: Int) {
    let span = max(1, Self.span(start, end))
    let count = max(1, count)
    self.start = start
    step = .milliseconds(Int64(clamping: span / UInt64(count) + (span % UInt64(count) == 0 ? 0 : 1)))
    accepted = Array(repeating: 0, count: count)
    refused = accepted
    commonest = Array(repeating: nil, count: count)
  }

  package var end: Timestamp { beginning(of: accepted.count) }

  package func beginning(of bar: Int) -> Timestamp {
    let (offset, overflow) = UInt64(step.milliseconds).multipliedReportingOverflow(by: UInt64(bar))
    guard !overflow, offset <= Self.span(start, Timestamp(rawValue: .max)) else {
      return Timestamp(rawValue: .max)
    }
    return Timestamp(rawValue: start.rawValue &+ Int64(truncatingIfNeeded: offset))
  }

  private func bar(at time: Timestamp) -> Int? {
    guard time >= start else { return nil }
    let bar = Self.span(start, time) / UInt64(step.milliseconds)
    return bar < accepted.count ? Int(bar) : nil
  }

  /// The milliseconds from one time to a later one, however far apart; 0 where it is not later.
  private static func span(_ start: Timestamp, _ end: Timestamp) -> UInt64 {
    start < end ? UInt64(bitPattern: end.rawValue &- start.rawValue) : 0
  }

  mutating func count(_ record: borrowing NotificationRecord) {
    guard let bar = bar(at: record.time) else { return }
    guard !record.outcome.isAccepted else { return accepted[bar] += 1 }
    refused[bar] += 1
    let fate = JournalDigest.Fate(record)
    // The feature of more than half of them remains (Boyer and Moore's vote).
    switch commonest[bar] {
    case let leader? where leader.fate == fate: commonest[bar] = (fate, leader.votes + 1)
    case let leader? where leader.votes > 1: commonest[bar] = (leader.fate, leader.votes - 1)
    default: commonest[bar] = (fate, 1)
    }
  }

  mutating func note(_ record: EventRecord) {
    guard let (kind, text) = record.event.mark, let bar = bar(at: record.time) else { return }
    let key = MarkKey(bar: bar, kind: kind)
    marks[key, default: (Mark(at: record.time, kind: kind, text: text), 0)].count += 1
  }

  /// The changes, in order; several of a kind in one slice are one.
  package var changes: [Mark] {
    let changes = marks.values.map { found -> Mark in
      var mark = found.mark
      if found.count > 1 { mark.text += ", and \(found.count - 1) more" }
      return mark
    }
    let all = (changes + bursts).sorted {
      ($0.at, $0.kind.rawValue, $0.text) < ($1.at, $1.kind.rawValue, $1.text)
    }
    return Array(all.prefix(Self.mostMarks))
  }

  /// The slice in which more were refused than in others by far.
  private var bursts: [Mark] {
    let all = refused.reduce(0, +)
    guard let most = refused.indices.max(by: { refused[$0] < refused[$1] }) else { return [] }
    let count = refused[most]
    // Compared with what the others have on average.
    guard count >= Self.burst.least,
      refused.count == 1 || count * (refused.count - 1) >= Self.burst.times * (all - count)
    else { return [] }
    let reason = commonest[most].map { ", mostly \($0.fate.reason)" } ?? ""
    return [Mark(at: beginning(of: most), kind: .burst, text: "\(count) refused\(reason)")]
  }
}

extension JournalDigest.Fate {
  /// `410 Unregistered`, `8 Invalid token`; the outcome where there is no other word.
  fileprivate var reason: String {
    let parts = text.split(separator: ":", maxSplits: 1)
    return String(parts.last ?? "")
  }
}

extension Event {
  /// The words of a time line on it; nil for what changes nothing that comes after it.
  fileprivate var mark: (kind: HistoryBars.Mark.Kind, text: String)? {
    switch self {
    case .requestFault(_, _, _, .goAway(let last, let code, _)?):
      (.goaway, "GOAWAY \(code.name), last stream \(last)")
    case .command(.addRule(let rule), _): (.fault, "fault on" + (rule.name.isEmpty ? "" : ": \(rule.name)"))
    case .command(.removeRule, _): (.fault, "fault off")
    case .command(.clearRules, _): (.fault, "all faults off")
    case .clockChanged(.advanced(let span)): (.clock, "clock moved by \(span)")
    case .clockChanged(.set(let moment)): (.clock, "clock set to \(moment)")
    case .clockChanged(.frozen): (.clock, "clock stopped")
    case .clockChanged(.resumed): (.clock, "clock runs again")
    default: nil
    }
  }
}

extension Simulator {
  /// The times of the oldest and the newest notification in the history, whichever way the clock was set; nil without any.
  package var historySpan: (first: Timestamp, last: Timestamp)? {
    withWorld { world in
      let numbers = world.history.notifications.first..<world.history.notifications.end
      guard let number = numbers.first else { return nil }
      var first = world.history.notifications[number].time
      var last = first
      for number in numbers {
        let time = world.history.notifications[number].time
        if time < first { first = time }
        if time > last { last = time }
      }
      return (first, last)
    }
  }

  /// Counts notifications that match into slices of time, of the first of these numbers as many as may be looked at in one
  /// go.
  /// - Returns: the number to go on from.
  package func count(
    _ numbers: Range<UInt64>,
    matching query: CompiledQuery?,
    into bars: inout HistoryBars
  ) -> UInt64 {
    withWorld { world in
      let kept = numbers.clamped(to: world.history.notifications.first..<world.history.notifications.end)
      guard !kept.isEmpty else { return numbers.upperBound }
      let stretch = query?.stretch(kept, in: world) ?? kept.prefix(50_000)
      if let query {
        query.forEachMatch(stretch, in: world) { bars.count(world.history.notifications[$0]) }
      } else {
        for number in stretch { bars.count(world.history.notifications[number]) }
      }
      return stretch.upperBound == kept.upperBound ? numbers.upperBound : stretch.upperBound
    }
  }

  /// Notes what changed in the time of the slices.
  package func noteChanges(in bars: inout HistoryBars) {
    withWorld { world in
      for index in world.history.firstEvent..<world.history.endEvent { bars.note(world.history.event(index)) }
    }
  }
}
