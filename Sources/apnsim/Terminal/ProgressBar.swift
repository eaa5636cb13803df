import APNSimWire
import Foundation

/// A line on the terminal that shows how far a long job is; nothing anywhere else.
struct ProgressBar {
  private let total: Int
  private let noun: String
  private let isShown: Bool
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant?

  init(total: Int, noun: String, isShown: Bool = Output.isTerminal(.standardError)) {
    self.total = total
    self.noun = noun
    self.isShown = isShown
    start = .now
  }

  /// Draws the line again, ten times a second at most.
  mutating func update(_ done: Int) {
    let now = ContinuousClock.now
    guard isShown, lastShown.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
    lastShown = now
    Output.talk("\r" + Self.line(done: done, total: total, noun: noun, elapsed: now - start))
  }

  /// Takes the line away.
  func finish() {
    if isShown, lastShown != nil { Output.talk("\r\u{1B}[K") }
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
