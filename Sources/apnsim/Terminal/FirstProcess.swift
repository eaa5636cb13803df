import APNSimSystem

/// The process with the number 1, which a container's program is, does what the system does for all others: it ends at
/// a signal, and takes note of the end of processes whose parent is gone.
enum FirstProcess {
  private static let isOurs = ThisProcess.identifier == 1

  /// Ends the process at the signals that ask for it, which the system ignores for this one as long as nobody handles
  /// them. Whoever handles them later, such as a server that has started, does so instead.
  static func endAtSignals() {
    guard isOurs else { return }
    for number in Signals.ending where !Signals.isIgnored(number) {
      Signals.handle(number) { FirstProcess.end(by: $0) }
    }
  }

  /// Has the system forget processes as they end, for a program that starts none: they are strangers' children.
  static func forgetAdopted() {
    if isOurs { Signals.forgetChildren() }
  }

  /// Ends this process as the signal would have.
  static func end(by number: Int32) -> Never {
    if !isOurs { Signals.raise(number) }
    ThisProcess.endAtOnce(128 + number)
  }
}
