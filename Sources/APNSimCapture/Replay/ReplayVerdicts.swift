import APNSimCore
import DequeModule

/// The verdicts on the notifications of a replay: only counted, or each looked at and shown.
///
/// Notifications are shown in their order, a request once it is known what became of its stream.
struct ReplayVerdicts {
  private let simulator: Simulator
  private var observe: ((ReplayedNotification) -> Void)?
  /// True where each verdict is needed: for an observer, or to compare it with the recorded one.
  private(set) var areFollowed = false
  /// Notifications that are shown once it is known what became of them, in order.
  private var unshown: Deque<(notification: ReplayedNotification, connection: ReplayConnection)> = []
  private var numbers = ReplayedNumbers()
  /// The number of notifications by outcome, indexed by `Outcome.rawValue`.
  private var counts = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// The number of the next verdict's notification.
  private var next: UInt64 = 1
  /// The most notifications that wait.
  private static let mostUnshown = 65_536

  init(of simulator: Simulator) { self.simulator = simulator }

  mutating func begin(observe: ((ReplayedNotification) -> Void)?, areFollowed: Bool) {
    self.observe = observe
    self.areFollowed = areFollowed || observe != nil
  }

  /// Has each verdict looked at from here on.
  mutating func follow() { areFollowed = true }

  /// Counts the new verdicts without a look at each.
  mutating func count() { next = simulator.countOutcomes(from: next, into: &counts) }

  /// The new verdicts.
  mutating func take() -> [NotificationVerdict] {
    let verdicts = simulator.verdicts(from: next)
    for verdict in verdicts { counts[Int(verdict.outcome.rawValue)] += 1 }
    next = (verdicts.last?.number).map { $0 + 1 } ?? next
    return verdicts
  }

  // MARK: Showing

  mutating func show(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    numbers.add(notification.verdict.number, recordedAs: notification.number)
    guard let observe else { return }
    if unshown.isEmpty, !Self.isWaiting(notification, on: connection) { return observe(notification) }
    unshown.append((notification, connection))
    show(most: Self.mostUnshown)
  }

  /// Ends a run: everything is counted, and what waits is shown.
  mutating func finish() {
    show(most: 0)
    if !areFollowed { count() }
  }

  private mutating func show(most: Int) {
    while let (waiting, connection) = unshown.first,
      unshown.count > most || connection.isOver || !Self.isWaiting(waiting, on: connection)
    {
      unshown.removeFirst()
      var notification = waiting
      if let request = notification.verdict.request {
        notification.stream = connection.sides.streams.takeDifference(of: request.stream)
      }
      observe?(notification)
    }
  }

  private static func isWaiting(_ notification: ReplayedNotification, on connection: ReplayConnection) -> Bool
  {
    notification.verdict.request.map { connection.sides.streams.isWaiting($0.stream) } ?? false
  }

  // MARK: Results

  /// The number of notifications.
  var total: UInt64 { counts.reduce(0, +) }

  /// The number of notifications of each outcome that occurred.
  var outcomes: [Outcome: UInt64] {
    var outcomes: [Outcome: UInt64] = [:]
    for outcome in Outcome.allCases where counts[Int(outcome.rawValue)] > 0 {
      outcomes[outcome] = counts[Int(outcome.rawValue)]
    }
    return outcomes
  }

  /// The connections whose providers had to send notifications again, with the capture's numbers of these.
  var resends: [ConnectionView] {
    simulator.connections().filter { !$0.resend.failed.isEmpty || !$0.resend.discarded.isEmpty }.map(
      renumbered
    )
  }

  private func renumbered(_ view: ConnectionView) -> ConnectionView {
    var view = view
    for list in [\ResendReport.failed, \.discarded, \.resent, \.lost] {
      for case (let index, .number(let number)) in view.resend[keyPath: list].enumerated() {
        view.resend[keyPath: list][index] = .number(numbers[number])
      }
    }
    return view
  }
}
