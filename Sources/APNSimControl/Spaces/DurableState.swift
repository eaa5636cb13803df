import APNSimCore
package import APNSimState
import Synchronization

/// The durable state of the main simulator: how far it has been restored, then who keeps it.
package final class DurableState: Sendable {
  /// The progress of restoring it.
  package let progress = StateProgress()
  private let kept = Mutex<StateKeeper?>(nil)

  package init() {}

  /// The keeper; nil while the state is being restored.
  var keeper: StateKeeper? { kept.withLock { $0 } }

  /// Names who keeps it, once it is restored.
  package func isKept(by keeper: StateKeeper) { kept.withLock { $0 = keeper } }

  /// The reason why nothing can be taken in, for people: it is being restored, or nothing can be kept; nil if everything can.
  /// - Parameter simulator: the simulator, once there is one.
  func trouble(_ simulator: Simulator?) -> String? {
    guard let keeper else { return "the state is being restored: \(progress.description)" }
    let status = keeper.status
    guard status.isShort || simulator?.isSuspended == true else { return nil }
    return "nothing can be kept" + (status.lastError.map { ": \($0)" } ?? "")
  }

  /// The progress of a restoration; nil once it has ended.
  var openProgress: StateProgress? { keeper == nil ? progress : nil }
}
