import Foundation

/// The progress bar over all captures of an import, in bytes.
final class ImportProgress {
  private var bar: ProgressBar
  private var before: [String: Int] = [:]
  private var sizes: [String: Int] = [:]

  init(_ captures: [String]) {
    var total = 0
    for capture in captures {
      let facts = try? FileManager.default.attributesOfItem(atPath: capture)
      let size = facts?[.size] as? Int ?? 0
      before[capture] = total
      sizes[capture] = size
      total += size
    }
    bar = ProgressBar(total: total, noun: "bytes")
  }

  func update(_ capture: String, _ share: Double) {
    let done = Double(sizes[capture] ?? 0) * min(1, max(0, share))
    bar.update((before[capture] ?? 0) + Int(done))
  }

  func finish() { bar.finish() }
}
