import APNSimScenario
import APNSimWire

/// The early end of a command: the message and hints for stderr, and the exit code.
struct CommandFailure: Error, Sendable {
  var status: ExitStatus
  /// One line that begins in lower case and names what was expected and found; empty for an end without
  /// words.
  var message: String
  /// Advice, one line each.
  var hints: [String]
  /// True for a message with a form of its own (a compiler's), which takes no `apnsim: error:` before it.
  var isFormatted = false
  /// True if waiting may help: the file that a server writes once it is ready cannot be read yet.
  var isTooEarly = false

  init(_ status: ExitStatus, _ message: String, hints: [String] = []) {
    self.status = status
    self.message = message
    self.hints = hints
  }

  /// Ends the command with a status after it has said all there is to say.
  static func quiet(_ status: ExitStatus) -> CommandFailure { CommandFailure(status, "") }

  /// The lines for stderr.
  var lines: [String] {
    guard !message.isEmpty else { return [] }
    // The usage of a command takes several lines, and so does a text with a form of its own. A name that does is shown on one.
    let isOneLine = !isFormatted && status != .usage
    let message = isOneLine ? message.onOneLine : message
    let hasKey = KeyText.hasKey(message)
    return [isFormatted ? message : "apnsim: error: \(message)"]
      + (hasKey ? [Self.keyHint] : hints).map { "hint: \($0)" }
  }

  private static let keyHint =
    "a private key stands where something else belongs: keep it in a file, or for serve and exec in APNSIM_AUTH_KEY"

  /// Writes the lines to stderr.
  func report() { for line in lines { Output.note(line) } }
}

/// The exit codes that every command keeps.
enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// An assertion, a comparison or a wait failed; for `send`: a notification was refused.
  case failed = 1
  case runtimeError = 2
  /// Flags or arguments that do not fit together.
  case usage = 64
  case unreachable = 69
  case cannotWrite = 73
  /// A setting, certificate or scenario that is wrong.
  case badConfiguration = 78
}
