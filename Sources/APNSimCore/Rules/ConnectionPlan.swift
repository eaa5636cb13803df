/// The faults of one connection as a whole, decided when it opens; almost always none.
///
/// The listener performs them. Faults of the stream (`strike`) are counted in the core, byte for byte.
package struct ConnectionPlan: Hashable, Sendable {
  /// The simulated time that everything sent is on its way.
  package var latency: TimeSpan?
  /// The bounds of what each write is on its way besides, and the seed that its times are drawn from.
  package var jitter: Jitter?
  /// The bytes of each piece that output is sent in, a TLS record of its own; nil where it is sent whole.
  package var sliceBytes: Int?
  /// The simulated time between two pieces.
  package var slicePause = TimeSpan.zero
  /// The time from the handshake to the connection's end, whatever comes.
  package var closeAfterHandshake: TimeSpan?
  package var isBlackHole = false
  /// True where no window is given for bodies.
  package var isZeroWindow = false
  package var ignoresPings = false
  package var ignoresSettings = false
  /// The time without a notification after which the connection is closed.
  var idleClose: TimeSpan?
  var strike: Fault?
  package var holdsFeedbackOpen = false
  /// The bytes after which the feedback list ends.
  var truncatesFeedbackAt: Int?
  /// Faults that joined later: the feedback list that stays as it is, and others.
  package var more = More()

  package struct Jitter: Hashable, Sendable {
    var from: TimeSpan
    var to: TimeSpan
    var seed: UInt64
  }

  /// True where nothing that comes is looked at and nothing is ever sent.
  package var isMute: Bool { isBlackHole || closeAfterHandshake != nil }

  /// The plan of a connection without faults.
  package static let usual = ConnectionPlan()

  /// Adds one fault of a connection; of two of one kind the first one stays.
  /// - Parameter random: the simulator's generator.
  mutating func add(_ fault: Fault, _ random: inout SeededGenerator) {
    switch fault.effect {
    case .plan(let change) where fault.kind.isKeptWhole: addWhole(fault, seed: random.next(), change)
    case .plan(let change): change(&self, &random)
    case .end: strike = strike ?? fault
    // Decided at a notification, or before the connection opens.
    case .swallow, .outage, .late, .answer, .refuse, .wait: break
    }
  }

  mutating func addJitter(_ from: TimeSpan, _ to: TimeSpan, _ random: inout SeededGenerator) {
    guard jitter == nil else { return }
    jitter = Jitter(from: max(.zero, from), to: max(.zero, from, to), seed: random.next())
  }

  /// Adds a fault that is kept as itself: its effect happens again when the plan is read.
  private mutating func addWhole(
    _ fault: Fault,
    seed: UInt64,
    _ change: (inout ConnectionPlan, inout SeededGenerator) -> Void
  ) {
    var (plan, random) = (self, SeededGenerator(seed: seed))
    change(&plan, &random)
    guard plan != self else { return }
    plan.more.faults.append(More.Added(fault: fault, seed: seed))
    self = plan
  }

  /// False for a second fault of one kind, which would change nothing.
  func hasRoom(for fault: Fault) -> Bool {
    var (plan, random) = (self, SeededGenerator(seed: 0))
    plan.add(fault, &random)
    return plan != self
  }
}

extension ConnectionPlan {
  /// Members that have joined the plan after states were kept. A member here is not kept itself: its fault is, and happens again.
  package struct More: Hashable, Sendable {
    var keepsFeedback = false

    /// The faults that are kept as themselves.
    var faults: [Added] = []

    struct Added: Hashable, Sendable {
      let fault: Fault
      /// The seed of what the fault leaves to chance.
      let seed: UInt64
    }
  }
}

extension FaultKind {
  /// True for a fault of a connection that is kept as itself. Those that were there when states were first kept have members
  /// of the plan, each with its place.
  fileprivate var isKeptWhole: Bool { tag.map { $0 > Self.lastTagInPlans } ?? false }

  /// The last tag that there was when states were first kept.
  private static var lastTagInPlans: UInt8 { 25 }
}

extension ConnectionPlan.More.Added: KeptByMembers {
  static let members = Members(Self.init, \.fault, \.seed)
}

/// One byte where no fault is kept, so that a plan is written as it always was.
extension ConnectionPlan.More: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: (keepsFeedback ? 1 : 0) | (faults.isEmpty ? 0 : 2) as UInt8)
    if !faults.isEmpty { faults.write(to: &state) }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let byte = try state.raw(UInt8.self)
    guard byte < 4 else { throw state.error("a byte below 4 was expected, and \(byte) found") }
    keepsFeedback = byte & 1 != 0
    if byte & 2 != 0 { faults = try state.read() }
  }
}

extension ConnectionPlan: KeptByMembers {
  static let members = Members(
    Self.init,
    \.latency,
    \.jitter,
    \.sliceBytes,
    \.slicePause,
    \.closeAfterHandshake,
    \.isBlackHole,
    \.isZeroWindow,
    \.ignoresPings,
    \.ignoresSettings,
    \.idleClose,
    \.strike,
    \.holdsFeedbackOpen,
    \.truncatesFeedbackAt,
    \.more
  )

  mutating func complete(_ state: StateReader) throws(StateError) {
    let kept = more.faults
    more.faults = []
    for one in kept {
      if case .plan(let change) = one.fault.effect { addWhole(one.fault, seed: one.seed, change) }
    }
    guard sliceBytes ?? 1 > 0 else { throw state.error("the bytes of a slice were expected to be 1 or more") }
    guard truncatesFeedbackAt ?? 0 >= 0 else {
      throw state.error("the bytes of a list were expected to be 0 or more")
    }
  }
}

extension ConnectionPlan.Jitter: KeptByMembers {
  static let members = Members(Self.init, \.from, \.to, \.seed)

  func complete(_ state: StateReader) throws(StateError) {
    guard from >= .zero, from <= to else {
      throw state.error("bounds of a jitter were expected, and \(from) to \(to) found")
    }
  }
}
