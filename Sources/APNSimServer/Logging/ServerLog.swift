import Logging
import NIOCore
import Synchronization

/// The server's log: one clear line per notable thing, and never more than a person can read.
final class ServerLog: Sendable {
  let logger: Logger
  private let budgets = Mutex([LineBudget](repeating: LineBudget(), count: LogKind.allCases.count))

  init(_ logger: Logger) { self.logger = logger }

  /// Writes a line about an event that peers cause, within the budget of its kind.
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

  /// Logs at the end how many lines were suppressed.
  func finish() {
    let suppressed = budgets.withLock { budgets in
      budgets.indices.reduce(0) { $0 + budgets[$1].takeSuppressed() }
    }
    if suppressed > 0 { logger.notice("\(suppressed) more lines were not logged: there were too many") }
  }
}

/// The rate limit of the log for one kind of event: a burst, then one line a second.
///
/// A hostile peer can cause any number of events; the log must stay readable and the disk must not fill up.
struct LineBudget {
  private static let burst = 10.0
  private static let perSecond = 1.0

  private var tokens = LineBudget.burst
  private var last: UInt64 = 0
  private(set) var suppressed = 0

  /// Spends a token for a line at a time in nanoseconds; false, and the line is counted, when there is none.
  mutating func spend(at now: UInt64) -> Bool {
    let passed = Double(now > last ? now - last : 0) / 1e9
    last = max(last, now)
    tokens = min(Self.burst, tokens + passed * Self.perSecond)
    guard tokens >= 1 else {
      suppressed += 1
      return false
    }
    tokens -= 1
    return true
  }

  /// Takes the number of lines suppressed since the last call.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}

/// The kinds of log lines, each with its own budget.
enum LogKind: Int, CaseIterable, Sendable {
  /// A handshake that was refused or failed, with a peer that speaks TLS.
  case handshake
  /// Bytes that are not TLS on a TLS port.
  case notTLS
  /// A peer that never finished its handshake.
  case halfOpen
  /// A limit that is reached: descriptors, connections, apps.
  case limit
  /// A connection that broke after its handshake.
  case connection
  /// Bytes that are not expected.
  case unexpected
  /// A provider token that is not good by itself.
  case providerToken
}
