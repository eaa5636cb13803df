import APNSimScenario
import APNSimTLS
import NIOCore
import NIOTLS
import Synchronization

/// The state that a client's handler records.
final class TrafficClientLog: Sendable {
  let state = Mutex(TrafficClient.State())

  func note(_ change: (inout TrafficClient.State) -> Void) { state.withLock { change(&$0) } }

  /// Notes the end of the handshake, and that the peer sends nothing more.
  /// - Returns: true for one of these.
  @discardableResult
  func note(event: Any) -> Bool {
    switch event {
    case TLSUserEvent.handshakeCompleted: note { $0.isConnected = true }
    case ChannelEvent.inputClosed: noteEnd()
    default: return false
    }
    return true
  }

  func note(error: any Error) {
    note { state in
      guard state.ending == .open else { return }
      if let error = error as? TLSError {
        if error.duringHandshake { state.alert = error.alertReceived?.rawValue }
        state.ending = state.isConnected ? .close : .refused
      } else {
        state.ending = state.isConnected ? .reset : .refused
      }
    }
  }

  func noteEnd() {
    note { state in
      if state.ending == .open { state.ending = state.isConnected ? .close : .refused }
    }
  }
}
