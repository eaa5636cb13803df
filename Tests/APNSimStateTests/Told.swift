import Synchronization

@testable import APNSimState

/// The events that a keeper tells.
final class Told: Sendable {
  private let content = Mutex<[StateNotice]>([])

  var notices: [StateNotice] { content.withLock { $0 } }

  @Sendable func note(_ notice: StateNotice) { content.withLock { $0.append(notice) } }
}
