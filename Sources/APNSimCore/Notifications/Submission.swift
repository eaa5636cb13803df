internal import APNSimWire

/// A frame and what can be said of it without knowing any device: made outside the simulator's lock.
struct JudgedFrame: BitwiseCopyable {
  var frame: Frame
  /// The first check up to `payloadSize` that failed; `none` when all passed.
  var failed: Check
  /// The first of the content checks that failed (`priority`, `payload`); they come after topic and token.
  var failedContent: Check
  /// What the payload is like; asked for only when the structure is right.
  var payload: PayloadVerdict

  /// What is there before a frame has been read into it.
  static let unread = JudgedFrame(
    frame: Frame(.malformed, command: 0, start: 0, end: 0),
    failed: .none,
    failedContent: .none,
    payload: PayloadVerdict(problem: .none, offset: 0, facts: PayloadFacts())
  )
}

extension PayloadVerdict {
  /// Nothing is wrong. (A comparison of enumerations from another module is a call through a table.)
  @inline(__always)
  var isFine: Bool { if case .none = problem { true } else { false } }
}
