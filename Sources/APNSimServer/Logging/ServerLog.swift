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

/// How many lines one kind of event may write to the log: a burst, then a trickle.
///
/// A hostile peer can cause as many events as it likes; the log shall still be readable and the disk not full.
struct LineBudget {
  private static let burst = 10.0
  private static let perSecond = 1.0

  private var tokens = LineBudget.burst
  private var last: UInt64 = 0
  private(set) var suppressed = 0

  /// Whether one more line is good at a time in nanoseconds; if not, it is counted.
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

  /// The number of lines that were left out since it was last asked.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}

/// What the log's lines are about; each kind has its own budget of lines.
enum LogKind: Int, CaseIterable, Sendable {
  /// A handshake that was refused or failed, with a peer that speaks TLS.
  case handshake
  /// Something that is not TLS on a TLS port.
  case notTLS
  /// A peer that never finished its handshake.
  case halfOpen
  /// No room: descriptors, connections, apps.
  case limit
  /// A connection that broke after its handshake.
  case connection
  /// Bytes where none belong.
  case unexpected
}
