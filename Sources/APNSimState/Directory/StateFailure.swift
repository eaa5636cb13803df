import APNSimSystem
import APNSimWire

/// The reason why a state cannot be used, or not be kept.
package enum StateFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process has the directory; nil where it does not say which.
  case inUse(path: String, pid: Int?)
  /// A directory or a file that cannot be read or written.
  case unusable(path: String, reason: String)
  /// A file that is not what was written.
  case damaged(file: String, offset: Int, reason: String)
  /// A file of a later version of the program.
  case newerFormat(file: String, found: UInt32, known: UInt32)
  /// The state began with something else than what is to go on with it.
  case mismatch(path: String, [StateDifference])

  package var description: String {
    switch self {
    case .inUse(let path, let pid?): "\(path): is used by pid \(pid)"
    case .inUse(let path, nil): "\(path): is used by another process"
    case .unusable(let path, let reason): "\(path): \(reason)"
    case .damaged(let file, let offset, let reason):
      "\(file): damaged at byte \(Number.grouped(offset)): \(reason)"
    case .newerFormat(let file, let found, let known):
      "\(file): was written by a later version: format \(known) was expected at most, found \(found)"
    case .mismatch(let path, let differences):
      "\(path): the state that is there began with something else: "
        + differences.map(\.description).joined(separator: "; ")
    }
  }
}

extension StateFailure {
  init(_ path: String, _ error: SystemError) { self = .unusable(path: path, reason: error.words) }
}
