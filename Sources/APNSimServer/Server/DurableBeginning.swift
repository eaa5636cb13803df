/// The beginning of a simulator whose state outlives its process: nothing comes in before every listener is bound and the
/// state goes on.
package struct DurableBeginning: Sendable {
  /// True for a state that was restored, whose time stands still until then.
  package var isRestored: Bool
  /// The seed with which the state began.
  package var seed: UInt64
  /// True if the recording of an earlier process is continued, where it belongs to this state.
  package var continuesRecording: Bool
  /// Called once every listener is bound.
  package var whenBound: @Sendable () -> Void

  package init(
    isRestored: Bool,
    seed: UInt64,
    continuesRecording: Bool,
    whenBound: @escaping @Sendable () -> Void = {}
  ) {
    self.isRestored = isRestored
    self.seed = seed
    self.continuesRecording = continuesRecording
    self.whenBound = whenBound
  }
}
