import Synchronization

/// A recording that a control API shows, while it is read and afterwards.
package final class ShownRecording: Sendable {
  /// The files, the oldest first, as they were named.
  package let files: [String]
  private let state = Mutex(State())

  struct State: Sendable {
    /// The part of the files that has been read, from 0 to 1.
    var share = 0.0
    var isComplete = false
    /// Notes on it for people: damage, gaps, other parts.
    var notes: [String] = []
  }

  package init(_ files: [String]) { self.files = files }

  var progress: State { state.withLock { $0 } }

  /// Notes how much has been read.
  package func reaches(_ share: Double) { state.withLock { $0.share = min(1, max(0, share)) } }

  /// Notes that everything has been read.
  package func ends(_ notes: [String]) {
    state.withLock { $0 = State(share: 1, isComplete: true, notes: notes) }
  }
}
