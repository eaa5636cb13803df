internal import Logging
internal import NIOCore
internal import Synchronization

/// The server's log: one clear line per notable thing, and never more than a person can read.
final class ServerLog: Sendable {
  let logger: Logger
  private let budgets = Mutex([LineBudget](repeating: LineBudget(), count: LogKind.allCases.count))

  init(_ logger: Logger) { self.logger = logger }

  /// Writes a line about what peers cause, within the budget of its kind.
  func write(_ kind: LogKind, level: Logger.Level = .notice, _ line: @autoclosure () -> String) {
    guard level >= logger.logLevel else { return }
    let suppressed: Int? = budgets.withLock { budgets in
      guard budgets[kind.rawValue].spend(at: NIODeadline.now().uptimeNanoseconds) else { return nil }
      return budgets[kind.rawValue].takeSuppressed()
    }
    guard let suppressed else { return }
    let more = suppressed > 0 ? " (and \(suppressed) more of this kind that were not logged)" : ""
    logger.log(level: level, "\(line())\(more)")
  }

  /// Writes a line about the server itself.
  func say(_ level: Logger.Level, _ line: String) { logger.log(level: level, "\(line)") }

  /// Says how many lines were left out, at the end.
  func finish() {
    let suppressed = budgets.withLock { budgets in
      budgets.indices.reduce(0) { $0 + budgets[$1].takeSuppressed() }
    }
    if suppressed > 0 { logger.notice("\(suppressed) more lines were not logged: there were too many") }
  }
}
