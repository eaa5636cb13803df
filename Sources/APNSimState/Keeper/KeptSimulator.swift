package import APNSimCore

/// A simulator as a keeper needs it.
package protocol KeptSimulator: AnyObject, Sendable {
  /// Keeps every input from here on; nil ends that.
  func keep(in log: (any InputLog)?)
  /// Writes the whole state down. Under its lock it calls `begin` before that, and `mark` with the state that is written.
  func writeState(room: Int, begin: () -> Void, _ mark: () -> Void) -> StateWriter
  /// Takes nothing in until it goes on.
  func suspend()
  /// Takes in again what comes, where a condition holds under its lock.
  /// - Returns: what the condition was.
  @discardableResult
  func resume(if isReady: () -> Bool) -> Bool
}

extension Simulator: KeptSimulator {}
