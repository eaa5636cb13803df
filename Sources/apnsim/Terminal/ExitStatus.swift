/// What the shell gets to know: the exit codes that every command keeps.
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
