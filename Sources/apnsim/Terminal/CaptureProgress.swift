import Foundation
import Synchronization

/// The progress bar of captures that are being read one after the other, in bytes of their files.
final class CaptureProgress: Sendable {
  private let bar: Mutex<ProgressBar>
  /// How many bytes stand before each, and how many it has.
  private let places: [String: (before: Int, size: Int)]

  init(_ captures: [String]) {
    var total = 0
    var places: [String: (before: Int, size: Int)] = [:]
    for capture in captures {
      let facts = try? FileManager.default.attributesOfItem(atPath: capture)
      let size = facts?[.size] as? Int ?? 0
      places[capture] = (total, size)
      total += size
    }
    self.places = places
    bar = Mutex(ProgressBar(total: total, noun: "bytes"))
  }

  /// - Parameter share: how much of the capture has been read, from 0 to 1.
  func update(_ share: Double, of capture: String) {
    let place = places[capture] ?? (0, 0)
    let done = place.before + Int(Double(place.size) * min(1, max(0, share)))
    bar.withLock { $0.update(done) }
  }

  func finish() { bar.withLock { $0.finish() } }
}
