package import APNSimCore

/// A state as it is now.
package struct StateStatus: Hashable, Sendable {
  package var directory: String
  /// The number of the last input.
  package var position: UInt64
  /// The bytes of the log since the last snapshot.
  package var logBytes: Int
  package var logSegments: Int
  /// The last snapshot; one of an earlier run has no times.
  package var snapshot: SnapshotReport?
  /// The restored state of the start; nil if the state began then.
  package var restored: RestoredState?
  package var sync: StateSync
  /// The duration of the last wait for the disk.
  package var lastSync: Duration?
  /// The number of failures.
  package var errors: Int
  package var lastError: String?
  /// True while nothing can be kept.
  package var isShort: Bool
}

/// A snapshot that was written.
package struct SnapshotReport: Hashable, Sendable {
  /// The number of the last input in it.
  package var number: UInt64
  package var byteCount: Int
  /// The wall time at which it was taken.
  package var time: Timestamp
  /// The time for which the simulator was held up.
  package var pause: Duration
  /// The time that it took in all.
  package var duration: Duration
}

/// A state that was restored from a directory.
package struct RestoredState: Hashable, Sendable {
  /// The number of the last input in the snapshot.
  package var snapshot: UInt64
  package var snapshotTime: Timestamp
  /// The inputs after it.
  package var inputs: Int
  /// The bytes that were cut at the end of the log.
  package var cutBytes: Int
  package var duration: Duration
}

/// The findings in a directory of state.
package struct StateReport: Hashable, Sendable {
  /// The differences of the state that was removed; empty if none was removed.
  package var removed: [StateDifference] = []
  /// The state that was restored; nil if the state begins now.
  package var restored: RestoredState?
  /// News for people, in sentences.
  package var remarks: [String] = []

  package var isNew: Bool { restored == nil }
}

/// A notice that is told while a state is kept, once until it is over.
package enum StateNotice: Hashable, Sendable, CustomStringConvertible {
  case syncFailed(String)
  case snapshotFailed(String)
  /// No segment can be made; what there is lasts for some more.
  case segmentFailed(String)
  /// Nothing can be kept, and nothing is taken in.
  case isShort(String)
  /// It can again, and the simulator goes on; told after every shortage.
  case hasRoom(gap: Bool)

  package var description: String {
    switch self {
    case .syncFailed(let reason): "the state may not be on the disk: \(reason)"
    case .snapshotFailed(let reason): "no snapshot could be taken: \(reason)"
    case .segmentFailed(let reason): "the log of the state cannot grow: \(reason)"
    case .isShort(let reason):
      "the state cannot be kept, so nothing is accepted until it can: \(reason)"
    case .hasRoom(gap: false): "the state can be kept again"
    case .hasRoom(gap: true): "the state can be kept again, from a snapshot on"
    }
  }
}
