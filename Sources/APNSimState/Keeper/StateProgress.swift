import APNSimWire
import Synchronization

/// The progress of restoring a state. It can be asked from anywhere meanwhile.
package final class StateProgress: Sendable, CustomStringConvertible {
  private let counts = Mutex((inputs: 0, bytes: 0, byteCount: 0, isOver: false))

  package init() {}

  /// The inputs that have happened again.
  package var inputs: Int { counts.withLock { $0.inputs } }

  /// The bytes of the log that have been read.
  package var bytes: Int { counts.withLock { $0.bytes } }

  /// The bytes of the log in all; 0 before they are known.
  package var byteCount: Int { counts.withLock { $0.byteCount } }

  /// True once the state is there.
  package var isOver: Bool { counts.withLock { $0.isOver } }

  func note(_ inputs: Int, _ bytes: Int, _ byteCount: Int) {
    counts.withLock { ($0.inputs, $0.bytes, $0.byteCount) = (inputs, bytes, byteCount) }
  }

  func end() { counts.withLock { $0.isOver = true } }

  /// `12,345 inputs, 40 of 256 MiB`
  package var description: String {
    let (inputs, bytes, byteCount, _) = counts.withLock { $0 }
    return
      "\(Number.counted(inputs, "input")), \(bytes >> 20) of \(Number.grouped((byteCount + 0xF_FFFF) >> 20)) MiB"
  }
}
