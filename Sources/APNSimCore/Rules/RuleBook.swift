import APNSimWire

/// The rules of a simulator and the state of each.
///
/// An entry never leaves its place, since notifications say which one decided about them; `order` is the precedence.
/// Rules that are added later come first: who adds one wants it to happen.
struct RuleBook {
  private(set) var entries: [Entry] = []
  /// The cheap tests that are made before the entry of the same place.
  private var probes: [RuleProbe] = []
  private var pairs = PayloadPairs.Catalogue()
  /// The pairs that the payload at hand is known to have.
  private var found = PayloadPairs()
  /// Places of the entries that count, the first match wins.
  private(set) var order: [Int] = []
  /// The state of the script; empty at first.
  private(set) var state = ""
  /// The magic tokens that have scripted themselves.
  var spentTokens = SpentTokens()

  struct Entry {
    let rule: Rule
    /// The action's own, kept here because every connection asks.
    let listeners: [Listener]
    let moment: FaultMoment
    /// The effect of its fault; nil for a rule without one.
    let effect: FaultEffect?
    fileprivate(set) var progress = Progress()

    init(_ rule: Rule) {
      self.rule = rule
      listeners = rule.action.listeners
      let fault: Fault? = if case .fault(let fault) = rule.action { fault } else { nil }
      (moment, effect) = (fault?.moment ?? .notification, fault?.effect)
    }

    /// A listener on whose connections it can do something. What frames can have done to them, requests can.
    func acts(on listener: Listener) -> Bool {
      listeners.contains(listener) || listener == .http2 && listeners.contains(.gateway)
    }

    /// The outcome of its rule so far.
    struct Progress {
      /// The number of times everything fitted, and of those that it fired.
      var matches = 0
      var fired = 0
      /// The outage that has begun and is not over.
      var outage: Outage?
      /// The requests to each token that were answered 200 although its app is gone, and since when that is.
      var lags: [UInt32: Lag] = [:]
    }

    struct Lag {
      let since: Timestamp
      let successes: Int
    }

    struct Outage {
      /// Nil where requests alone end it.
      let until: Timestamp?
      var requestsLeft: Int
    }

    var isSpent: Bool { rule.times.map { progress.fired >= $0 } ?? false }

    /// True while an outage goes on.
    func isOut(at now: Timestamp) -> Bool {
      progress.outage.map { $0.requestsLeft > 0 && ($0.until.map { now < $0 } ?? true) } ?? false
    }
  }

  /// Entries ever, as many as a notification's record can tell apart.
  static let limit = Int(UInt16.max) - 1

  init(_ rules: [Rule], state: String = "") {
    entries = rules.prefix(Self.limit).map { Entry($0) }
    for entry in entries { probes.append(RuleProbe(entry.rule.when, &pairs)) }
    order = Array(entries.indices)
    self.state = state
  }

  var isEmpty: Bool { order.isEmpty }

  /// Puts a rule before all others; nil when there have been too many.
  mutating func add(_ rule: Rule) -> Int? {
    guard entries.count < Self.limit else { return nil }
    entries.append(Entry(rule))
    probes.append(RuleProbe(rule.when, &pairs))
    order.insert(entries.count - 1, at: 0)
    return entries.count - 1
  }

  /// Takes a rule out, by its id or its name; false when there is none.
  mutating func remove(_ name: String) -> Bool {
    guard
      let place = order.first(where: { Self.id(of: $0) == name })
        ?? order.first(where: { !name.isEmpty && entries[$0].rule.name == name })
    else { return false }
    order.removeAll { $0 == place }
    return true
  }

  mutating func removeAll() { order = [] }

  /// `r1`: how people name a rule that has no name.
  static func id(of place: Int) -> String { "r\(place + 1)" }

  /// Rules that a connection can meet, in order: `ofConnection` chooses between those decided when it opens and
  /// those that wait for its notifications.
  func candidates(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    ofConnection: Bool
  ) -> [Int] {
    order.filter { index in
      let entry = entries[index]
      return (entry.moment != .notification) == ofConnection && entry.acts(on: listener)
        && entry.rule.when.fits(
          listener,
          ordinal: ordinal,
          provider: provider,
          ofRequests: listener == .http2 && !ofConnection
        )
    }
  }

  /// Lets another notification have its turn.
  @inline(__always)
  mutating func beginNotification() { found.forget() }

  /// True if the rule could fit the notification at `place` on its connection, by what can be compared at once, and could
  /// fire then.
  @inline(__always)
  mutating func couldFire(
    _ index: Int,
    on submission: Submission,
    at place: UInt64,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    probes[index].couldFit(submission, at: place, in: buffer, &found, pairs) && isReady(index)
  }

  /// True if the rule fires where its match fits: it is not spent and the script is in its state.
  func isReady(_ index: Int) -> Bool {
    let entry = entries[index]
    guard !entry.isSpent || entry.progress.outage != nil else { return false }
    return entry.rule.state?.requires.map { $0 == state } ?? true
  }

  /// True while an outage of the rule goes on; the notification is one of those that it refuses.
  mutating func continueOutage(_ index: Int, at now: Timestamp) -> Bool {
    let isOut = entries[index].isOut(at: now)
    guard var outage = entries[index].progress.outage.take(), isOut else { return false }
    outage.requestsLeft -= 1
    entries[index].progress.outage = outage.requestsLeft > 0 ? outage : nil
    return true
  }

  /// An outage begins with the notification at hand.
  mutating func beginOutage(_ index: Int, _ fault: Fault.Outage, at now: Timestamp) {
    let requests = fault.requests ?? .max
    guard requests > 1 else { return }
    entries[index].progress.outage = Entry.Outage(
      until: fault.span.map { now + $0 },
      requestsLeft: requests - 1
    )
  }

  /// The tokens of a rule that are followed; past it, a token is late no more.
  private static let mostLags = 100_000

  /// True for a token whose app is gone that still counts as good.
  /// - Parameter since: when its device said so, or now where that is the first it hears of it.
  mutating func isLate(
    _ index: Int,
    _ lag: Fault.Lag,
    _ registration: UInt32,
    since: Timestamp,
    at now: Timestamp
  ) -> Bool {
    if let span = lag.span, now >= since + span { return false }
    guard let most = lag.successes else { return true }
    let known = entries[index].progress.lags[registration]
    let successes = known?.since == since ? known?.successes ?? 0 : 0
    guard successes < most, known != nil || entries[index].progress.lags.count < Self.mostLags else {
      return false
    }
    entries[index].progress.lags[registration] = Entry.Lag(since: since, successes: successes + 1)
    return true
  }

  /// Counts a match; true when it is one that fires.
  mutating func count(_ index: Int, _ random: inout SeededGenerator) -> Bool {
    let rule = entries[index].rule
    if let probability = rule.when.probability, !(Double.random(in: 0..<1, using: &random) < probability) {
      return false
    }
    entries[index].progress.matches += 1
    let past = entries[index].progress.matches - rule.after
    guard past > 0, (past - 1) % max(1, rule.every) == 0 else { return false }
    entries[index].progress.fired += 1
    if let next = rule.state?.becomes { state = next }
    return true
  }
}

/// A rule as the command line and the control API show it.
package struct RuleView: Hashable, Sendable {
  /// `r1`, by which it can be removed.
  package var id: String
  package var rule: Rule
  /// The number of times everything fitted, and of those that it fired.
  package var matches: Int
  package var fired: Int
  /// True once it has fired as often as it may, and what it began is over.
  package var isSpent: Bool
}

extension RuleBook {
  /// The rules in the order they are tried.
  func views(at now: Timestamp) -> [RuleView] { order.map { view($0, at: now) } }

  func view(_ place: Int, at now: Timestamp) -> RuleView {
    let entry = entries[place]
    return RuleView(
      id: Self.id(of: place),
      rule: entry.rule,
      matches: entry.progress.matches,
      fired: entry.progress.fired,
      isSpent: entry.isSpent && !entry.isOut(at: now)
    )
  }
}

extension RuleBook {
  /// A book as it is written.
  struct Written {
    let entries: [Entry]
    let order: [UInt16]
    let state: String

    struct Entry {
      /// The rule as ``Rule/write(to:)`` writes it.
      let rule: [UInt8]
      let progress: RuleBook.Entry.Progress
    }
  }

  func write(to state: inout StateWriter) {
    let entries = entries.map { entry in
      var json = JSONWriter()
      entry.rule.write(to: &json)
      return Written.Entry(rule: json.bytes, progress: entry.progress)
    }
    let order = order.map { UInt16(truncatingIfNeeded: $0) }
    Written(entries: entries, order: order, state: self.state).write(to: &state)
  }

  /// - Parameter rule: reads a rule as ``Rule/write(to:)`` writes it.
  init(reading state: inout StateReader, rule: ([UInt8]) throws -> Rule) throws(StateError) {
    let written = try Written(reading: &state)
    self.init([], state: written.state)
    guard written.entries.count <= Self.limit else {
      throw state.error("there cannot be \(written.entries.count) rules")
    }
    for (place, entry) in written.entries.enumerated() {
      do { entries.append(Entry(try rule(entry.rule))) } catch {
        throw state.error("the rule \(Self.id(of: place)) cannot be read: \(error)")
      }
      entries[place].progress = entry.progress
      probes.append(RuleProbe(entries[place].rule.when, &pairs))
    }
    order = written.order.map(Int.init)
    guard Set(order).count == order.count, order.allSatisfy(entries.indices.contains) else {
      throw state.error("rules that have not had their turn were expected, and \(order.map(Self.id)) found")
    }
  }
}

extension RuleBook.Written: KeptByMembers {
  static let members = Members(Self.init, \.entries, \.order, \.state)
}

extension RuleBook.Written.Entry: KeptByMembers {
  static let members = Members(Self.init, \.rule, \.progress)
}

extension RuleBook.Entry.Progress: KeptByMembers {
  static let members = Members(Self.init, \.matches, \.fired, \.outage, \.lags)

  func complete(_ state: StateReader) throws(StateError) { try state.expectCounted(matches, fired) }
}

extension RuleBook.Entry.Outage: KeptByMembers {
  static let members = Members(Self.init, \.until, \.requestsLeft)
}

extension RuleBook.Entry.Lag: KeptByMembers {
  static let members = Members(Self.init, \.since, \.successes)
}
