import APNSimTestSupport
import Logging
import Synchronization

/// A log kept in memory.
final class LogLines: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(lines: self) }
    logger.logLevel = .debug
    return logger
  }

  func count(_ part: String) -> Int { lines.filter { $0.contains(part) }.count }

  /// Waits for a line and counts: the server may log it after the peer has seen the event.
  func waitAndCount(_ part: String) async -> Int {
    _ = await eventually { count(part) > 0 }
    return count(part)
  }

  fileprivate func append(_ line: String) { state.withLock { $0.append(line) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.level): \(event.message)") }
  }
}
