import NIOCore
import Synchronization

/// A connection that was accepted. One that comes when the listener has stopped is taken by nobody, and is closed then: NIO ends the
/// process where its channel is let go of otherwise.
final class AcceptedConnection: Sendable {
  private let parts: ControlConnection.Parts
  private let isTaken = Atomic(false)

  init(_ parts: ControlConnection.Parts) { self.parts = parts }

  func take() -> ControlConnection.Parts {
    isTaken.store(true, ordering: .relaxed)
    return parts
  }

  deinit {
    guard !isTaken.load(ordering: .relaxed) else { return }
    Task { [parts] in try? await parts.executeThenClose { _, _ in } }
  }
}
