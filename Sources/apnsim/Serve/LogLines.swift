import APNSimCore
import Foundation
import Logging

/// Writes the log to stderr, a line each: `12:00:00.000 warning  …`.
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
    let now = Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000)).description
    let level = event.level.rawValue
    let padded = level + String(repeating: " ", count: max(0, 8 - level.count))
    let colour: Style.Colour = event.level >= .error ? .red : event.level == .warning ? .yellow : .dim
    let time = style.paint(String(now.dropFirst(11).dropLast()), .dim)
    Output.note("\(time) \(style.paint(padded, colour)) \(event.message)")
  }
}
