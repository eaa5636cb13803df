import APNSimScenario
import APNSimTLS

/// Why a command ends early: what stands on stderr, what may help, and the exit code.
struct CommandFailure: Error, Sendable {
  var status: ExitStatus
  /// One line that begins in lower case and names what was expected and found; empty for an end without
  /// words.
  var message: String
  /// What to do about it, one line each.
  var hints: [String]
  /// Whether the message has its own form (a compiler's) and takes no `apnsim: error:` before it.
  var isFormatted = false
  /// Whether waiting may help: the file that a server writes once it is ready cannot be read.
  var isTooEarly = false

  init(_ status: ExitStatus, _ message: String, hints: [String] = []) {
    self.status = status
    self.message = message
    self.hints = hints
  }

  /// Ends the command with a status after it has said all there is to say.
  static func quiet(_ status: ExitStatus) -> CommandFailure { CommandFailure(status, "") }

  init(_ error: DocumentError) {
    self.init(.badConfiguration, error.description)
    isFormatted = true
  }

  init(_ error: TLSSetupError) {
    let place = error.file.map { "\($0): " } ?? ""
    self.init(
      error.isWriting ? .cannotWrite : .badConfiguration,
      place + error.reason,
      hints: error.hint.map { [$0] } ?? []
    )
  }

  /// The lines for stderr.
  var lines: [String] {
    guard !message.isEmpty else { return [] }
    return [isFormatted ? message : "apnsim: error: \(message)"] + hints.map { "hint: \($0)" }
  }
}
