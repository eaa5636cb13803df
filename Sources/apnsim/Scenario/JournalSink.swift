import APNSimCore
import APNSimScenario
import Foundation
import Synchronization

/// Writes the journal of one run to a file, as it comes.
final class JournalSink: JournalRecorder {
  private let path: String
  private let handle: FileHandle
  private let failure = Mutex<String?>(nil)

  /// - Throws: `CommandFailure` with status 73.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    do {
      try Data().write(to: URL(fileURLWithPath: path))
      handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(.cannotWrite, "\(path): cannot be written: \(FileFailure.reason(error))")
    }
  }

  func record(_ lines: UnsafeRawBufferPointer) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do { try handle.write(contentsOf: Data(lines)) } catch { failure = FileFailure.reason(error) }
    }
  }

  /// - Throws: `CommandFailure` when not everything could be written.
  func finish() throws(CommandFailure) {
    try? handle.close()
    if let reason = failure.withLock({ $0 }) {
      throw CommandFailure(.cannotWrite, "\(path): cannot be written: \(reason)")
    }
  }
}
