package import APNSimCore
import Synchronization

/// A journal kept in memory: everything a simulator writes, from what its history holds on.
package final class MemoryJournal: JournalRecorder {
  private let lines = Mutex<[UInt8]>([])

  package init(_ simulator: Simulator) { simulator.add(self) }

  package func record(_ bytes: UnsafeRawBufferPointer) { lines.withLock { $0.append(contentsOf: bytes) } }

  package var text: String { String(decoding: lines.withLock { $0 }, as: UTF8.self) }
}
