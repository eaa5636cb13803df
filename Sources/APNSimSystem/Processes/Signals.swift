import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals that this process gets.
package enum Signals {
  /// The signals that ask a process to end.
  package static let ending: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// True for a signal that this process was started to ignore, or has chosen to.
  package static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Calls a function at a signal, which may do what is allowed in a handler.
  package static func handle(_ number: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
    signal(number, handler)
  }

  /// Has the system forget the children of this process as they end.
  package static func forgetChildren() { signal(SIGCHLD, SIG_IGN) }

  /// Sends this process a signal that nobody handles any more.
  package static func raise(_ number: CInt) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  /// Makes a call that may write to a pipe without a reader: that is an error then, not the end of this process.
  static func withoutPipeSignal<Result>(
    _ write: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do throws(SystemError) {
      return try write()
    } catch {
      if error.code == .brokenPipe { takePending(&signals) }
      throw error
    }
  }

  private static func takePending(_ signals: inout sigset_t) {
    var pending = sigset_t()
    var number: CInt = 0
    sigpending(&pending)
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&signals, &number) }
  }
}
