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
  var keepsFeedback = false

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
  /// - Parameter random: the simulator's generator. A fault that leaves something to chance draws it here, once, so
  ///   that the connection's own course does not depend on what others do meanwhile.
  mutating func add(_ fault: Fault, _ random: inout SeededGenerator) {
    switch fault {
    case .latency(let span): latency = latency ?? span
    case .jitter(let from, let to):
      if jitter == nil {
        jitter = Jitter(from: max(.zero, from), to: max(.zero, from, to), seed: random.next())
      }
    case .slice(let bytes, let pause):
      if sliceBytes == nil { (sliceBytes, slicePause) = (max(1, bytes), pause) }
    case .closeAfterHandshake(let span): closeAfterHandshake = closeAfterHandshake ?? span
    case .idleClose(let span): idleClose = idleClose ?? span
    case .blackHole: isBlackHole = true
    case .zeroWindow: isZeroWindow = true
    case .ignorePing: ignoresPings = true
    case .ignoreSettings: ignoresSettings = true
    case .close, .reset, .stopReading: strike = strike ?? fault
    case .feedbackHoldOpen: holdsFeedbackOpen = true
    case .feedbackTruncate(let bytes): truncatesFeedbackAt = truncatesFeedbackAt ?? max(0, bytes)
    case .feedbackKeep: keepsFeedback = true
    // Decided at a notification, or before the connection opens.
    case .swallow, .unavailable, .lateUnregistered, .goaway, .resetStream, .unanswered, .slowAnswer,
      .maxStreams, .stickyServerError, .refuseHandshake, .acceptDelay:
      break
    }
  }

  /// False for a second fault of one kind, which would change nothing.
  func hasRoom(for fault: Fault) -> Bool {
    var (plan, random) = (self, SeededGenerator(seed: 0))
    plan.add(fault, &random)
    return plan != self
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
    \.keepsFeedback
  )

  func complete(_ state: StateReader) throws(StateError) {
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
