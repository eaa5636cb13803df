import APNSimScenario
import APNSimSystem
import APNSimWire
import Synchronization
import SystemPackage

/// A progress line on the terminal; nothing on anything else.
struct ProgressBar {
  private let total: Int
  private let noun: String
  private let isShown: Bool
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant?

  init(total: Int, noun: String, isShown: Bool = SystemFile.standardError.isTerminal) {
    self.total = total
    self.noun = noun
    self.isShown = isShown
    start = .now
  }

  /// Redraws the line, ten times a second at most.
  mutating func update(_ done: Int) {
    let now = ContinuousClock.now
    guard isShown, lastShown.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
    lastShown = now
    Output.progress(Self.line(done: done, total: total, noun: noun, elapsed: now - start))
  }

  /// Clears the line.
  func finish() {
    if isShown, lastShown != nil { Output.clearProgress() }
  }

  /// `[#####-----]  50 %  5,000 of 10,000 notifications, 2,500 a second`
  static func line(done: Int, total: Int, noun: String, elapsed: Duration) -> String {
    let width = 24
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let filled = Int(share * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let percent = String(Int(share * 100))
    let padding = String(repeating: " ", count: 3 - percent.count)
    let seconds = elapsed / .seconds(1)
    let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
    return "[\(bar)] \(padding)\(percent) %  \(Number.grouped(done)) of \(Number.grouped(total)) \(noun), "
      + "\(Number.grouped(rate)) per second"
  }
}

/// The progress bar of captures that are being read one after the other, in bytes of their files.
final class CaptureProgress: Sendable {
  private let bar: Mutex<ProgressBar>
  private let done = Atomic<Int>(0)
  private let total: Int
  /// The size of each file, and the sum of those before it, in bytes.
  private let places: [String: (before: Int, size: Int)]

  init(_ captures: [String]) {
    var total = 0
    var places: [String: (before: Int, size: Int)] = [:]
    for capture in captures {
      let size = SystemPath.facts(capture).map { Int($0.size) } ?? 0
      places[capture] = (total, size)
      total += size
    }
    self.places = places
    self.total = total
    bar = Mutex(ProgressBar(total: total, noun: "bytes"))
  }

  /// - Parameter share: how much of the capture has been read, from 0 to 1.
  func update(_ share: Double, of capture: String) {
    let place = places[capture] ?? (0, 0)
    let done = place.before + Int(Double(place.size) * min(1, max(0, share)))
    self.done.store(done, ordering: .relaxed)
    bar.withLock { $0.update(done) }
  }

  /// The share of all captures that has been read, from 0 to 1.
  var share: Double { total > 0 ? min(1, Double(done.load(ordering: .relaxed)) / Double(total)) : 0 }

  func finish() { bar.withLock { $0.finish() } }
}
