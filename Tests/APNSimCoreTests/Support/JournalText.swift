import APNSimCore
import Synchronization

/// A journal kept in memory: everything a simulator writes, from what its history holds on.
final class JournalText: JournalRecorder {
  private let lines = Mutex<[UInt8]>([])

  init(_ simulator: Simulator) { simulator.add(self) }

  func record(_ bytes: UnsafeRawBufferPointer) { lines.withLock { $0.append(contentsOf: bytes) } }

  var text: String { String(decoding: lines.withLock { $0 }, as: UTF8.self) }
}
