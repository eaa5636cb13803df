import APNSimSystem
import ServiceLifecycle
import SystemPackage

/// A named pipe that has a reader, held open until it is written to.
///
/// Opening a pipe for writing blocks until it has a reader, without reacting to cancellation.
struct NamedPipe: ~Copyable {
  private let file: SystemFile

  /// Waits until a path that is a named pipe has a reader; returns nil at once for any other path.
  /// - Throws: `CancellationError` if the process is to end before that.
  static func awaitReader(of path: String) async throws -> NamedPipe? {
    guard SystemPath.facts(path)?.isPipe == true else { return nil }
    while true {
      do throws(SystemError) {
        return NamedPipe(file: try SystemFile(path, .writeOnly, .nonBlocking))
      } catch {
        // The next call that opens the path reports any other reason.
        guard error.code == .noSuchAddressOrDevice else { return nil }
      }
      guard !Task.isShuttingDownGracefully else { throw CancellationError() }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
