import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Appends session secrets to a file in the NSS key log format ("CLIENT_RANDOM …"), line by line.
///
/// Each line is one `write` to a descriptor in append mode, so several processes can share the file.
final class KeyLog: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(TLSSetupError) {
    // A named pipe would wait for its reader; what nobody reads in time is lost.
    let way = POSIXFile.isPipe(path) ? O_RDWR | O_NONBLOCK : O_WRONLY | O_CREAT | O_APPEND
    descriptor = apnsim_open(path, way | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TLSSetupError(cannotWrite: path, reason: POSIXFile.lastError()) }
  }

  deinit { close(descriptor) }

  func append(_ line: String) {
    _ = POSIXFile.append(Array(line.utf8) + [10], to: descriptor)
  }
}
