import Foundation
import Synchronization

/// A capture that is being written: whole lines only, whatever happens.
final class RecordFile: Sendable {
  private struct State {
    var handle: FileHandle
    /// How many bytes of whole lines there are.
    var length: UInt64 = 0
    var events = 0
    var missed = 0
    var beginning: UInt64?
  }

  private let state: Mutex<State>
  private let path: String

  /// - Throws: `CommandFailure` with status 73.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    guard path != "-" else {
      state = Mutex(State(handle: .standardOutput))
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure(.cannotWrite, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    state = Mutex(State(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)))
  }

  /// How many events were written, and how many are known to be missing.
  var counts: (events: Int, missed: Int) { state.withLock { ($0.events, $0.missed) } }

  /// The number of the first event, where it is not the first that ever was.
  var beginning: UInt64? { state.withLock { $0.beginning } }

  func noteBeginning(_ seq: UInt64) { state.withLock { $0.beginning = seq } }

  func noteMissed(_ count: Int) { state.withLock { $0.missed = count } }

  /// Writes one line, or nothing of it.
  /// - Parameter line: without a newline.
  func append(_ line: some Collection<UInt8>, isEvent: Bool = true) throws(CommandFailure) {
    let data = Data(line) + [UInt8(ascii: "\n")]
    let reason: String? = state.withLock { state in
      do {
        try state.handle.write(contentsOf: data)
      } catch {
        // A full disk may have taken a part.
        try? state.handle.truncate(atOffset: state.length)
        return "\(error.localizedDescription)"
      }
      state.length += UInt64(data.count)
      if isEvent { state.events += 1 }
      return nil
    }
    if let reason { throw CommandFailure(.cannotWrite, "cannot write \(path): \(reason)") }
  }

  func close() {
    state.withLock { if path != "-" { try? $0.handle.close() } }
  }
}
