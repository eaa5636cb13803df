import APNSimWire

/// When a state waits for the disk.
package enum StateSync: String, Hashable, Sendable, JSONWord {
  /// Once a second: with the power, at most a second is lost.
  case interval
  /// Never: the kernel decides.
  case off
}

/// The fate of a state that began with something else than what is to go on with it.
package enum StateMismatch: String, Hashable, Sendable, CaseIterable {
  case refuse
  /// It is removed, and another one begins.
  case reset
}

/// The options of a kept state.
package struct StateOptions: Hashable, Sendable {
  package var sync = StateSync.interval
  /// The bytes of the log after which a snapshot is taken.
  package var logSize = 256 << 20
  package var mismatch = StateMismatch.refuse
  /// The version of the program, which the state tells and does not compare.
  package var programVersion = ""

  /// The smallest size of the log; less is a segment.
  package static let leastLogSize = 4 << 20

  package init(
    sync: StateSync = .interval,
    logSize: Int = 256 << 20,
    mismatch: StateMismatch = .refuse,
    programVersion: String = ""
  ) {
    (self.sync, self.logSize) = (sync, logSize)
    (self.mismatch, self.programVersion) = (mismatch, programVersion)
  }
}
