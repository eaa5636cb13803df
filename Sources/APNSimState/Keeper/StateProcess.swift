/// The process of a state as it lends itself: who hears how far it has been restored and what becomes of it, and a clock.
package struct StateProcess: Sendable {
  package var progress: StateProgress
  package var clock: StateClock
  package var notice: @Sendable (StateNotice) -> Void

  package init(
    progress: StateProgress = StateProgress(),
    clock: StateClock = .system,
    notice: @escaping @Sendable (StateNotice) -> Void = { _ in }
  ) {
    (self.progress, self.clock, self.notice) = (progress, clock, notice)
  }
}
