import APNSimCore
import APNSimScenario
import APNSimSystem
import APNSimWire
import Logging
import Synchronization

/// Writes the log to stderr, a line each: `12:00:00.000 warning  …`.
///
/// Event loops write it and must not block: lines that a full pipe does not take are dropped and counted.
struct LogLines: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let style: Style

  init(level: Logger.Level, style: Style) {
    logLevel = level
    self.style = style
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let now = Timestamp.now.description
    let level = event.level.rawValue
    let padded = level + String(repeating: " ", count: max(0, 8 - level.count))
    let colour: Style.Colour = event.level >= .error ? .red : event.level == .warning ? .yellow : .dim
    let time = style.paint(String(now.dropFirst(11).dropLast()), .dim)
    guard Self.isTaken else {
      Self.lost.add(1, ordering: .relaxed)
      return
    }
    let lost = Self.lost.exchange(0, ordering: .relaxed)
    let gap = lost > 0 ? "(\(Number.counted(lost, "line")) before this one did not fit in stderr) " : ""
    // A peer's text makes no line of its own.
    let message = event.message.description.onOneLine
    Output.note("\(time) \(style.paint(padded, colour)) \(gap)\(message)")
  }

  private static let lost = Atomic<Int>(0)

  /// True if stderr takes a line now.
  private static var isTaken: Bool { SystemFile.standardError.hasRoom(within: 0) }
}
