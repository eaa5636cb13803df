package import APNSimWire

/// A frame and what can be said of it without knowing any device: made outside the simulator's lock.
package struct JudgedFrame: BitwiseCopyable {
  package var frame: Frame
  /// The first check up to `payloadSize` that failed; `none` when all passed.
  package var failed: Check
  /// What the payload is like; asked for only when the structure is right.
  package var payload: PayloadVerdict
  /// The first of the content checks that failed (`priority`, `payload`); they come after topic and token.
  package var failedContent: Check
}

extension PayloadVerdict {
  /// For a frame whose structure decided already.
  static let notAsked = PayloadVerdict(problem: .none, offset: 0, facts: PayloadFacts())
}
