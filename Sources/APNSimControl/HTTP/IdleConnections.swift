import NIOCore
import Synchronization

/// The connections of the control API that wait for a request. The oldest make way where others wait to come in.
final class IdleConnections: Sendable {
  private struct State {
    var next: UInt64 = 0
    var idle: [UInt64: (channel: any Channel, since: NIODeadline)] = [:]
  }

  private let state = Mutex(State())

  /// The time after which a silent connection makes way.
  private static let silence = TimeAmount.seconds(1)

  /// - Returns: what ``remove(_:)`` takes.
  func add(_ channel: any Channel) -> UInt64 {
    state.withLock { state in
      state.next += 1
      state.idle[state.next] = (channel, .now())
      return state.next
    }
  }

  func remove(_ key: UInt64) { state.withLock { _ = $0.idle.removeValue(forKey: key) } }

  /// Closes the oldest ones that have been silent for a while.
  /// - Parameter most: the number of connections to close.
  func makeWay(_ most: Int) {
    let oldest = state.withLock { state in
      let silent = state.idle.filter { .now() - $0.value.since >= Self.silence }
      let chosen = silent.sorted { $0.key < $1.key }.prefix(most)
      for (key, _) in chosen { state.idle.removeValue(forKey: key) }
      return chosen.map(\.value.channel)
    }
    for channel in oldest { channel.close(promise: nil) }
  }
}
