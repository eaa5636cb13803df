import APNSimCore
import Synchronization

/// A log in memory.
package final class MemoryLog: InputLog {
  private let kept = Mutex<[[UInt8]]>([])
  private let room = Mutex(Int.max)
  private let gaps = Mutex(0)

  package init() {}

  package var entries: [[UInt8]] { kept.withLock { $0 } }
  /// Inputs that happened or were refused without being kept.
  package var gapCount: Int { gaps.withLock { $0 } }

  /// Leaves room for so many more entries.
  package func leaveRoom(for entries: Int) { room.withLock { $0 = entries } }

  package func makeRoom(for byteCount: Int) -> Bool {
    room.withLock { room in
      if room == 0 { return false }
      if room < .max { room -= 1 }
      return true
    }
  }

  package func append(_ head: UnsafeRawBufferPointer, _ bulk: UnsafeRawBufferPointer) {
    kept.withLock { $0.append(Array(head) + Array(bulk)) }
  }

  package func noteGap() { gaps.withLock { $0 += 1 } }
}
