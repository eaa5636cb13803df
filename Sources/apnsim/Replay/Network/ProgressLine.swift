import Foundation
import Synchronization

/// The progress bar of a capture that is being replayed, in bytes of its file.
final class ProgressLine: Sendable {
  private let bar: Mutex<ProgressBar>
  private let size: Int

  init(_ path: String) {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    size = facts?[.size] as? Int ?? 0
    bar = Mutex(ProgressBar(total: size, noun: "bytes of the capture"))
  }

  func update(_ share: Double) {
    let done = Int(Double(size) * min(1, max(0, share)))
    bar.withLock { $0.update(done) }
  }

  func finish() { bar.withLock { $0.finish() } }
}
