import Foundation

/// A temporary file that is unlinked as soon as it is open: however the process ends, nothing of it remains.
package final class UnlinkedFile {
  let descriptor: CInt
  private(set) package var size: Int64 = 0

  /// - Throws: `POSIXError` where it cannot be made.
  package init() throws {
    let path = Self.place + "/apnsim-XXXXXX"
    var template = path.utf8CString.map { $0 }
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// The folder of temporary files, for messages.
  package static var place: String {
    let path = FileManager.default.temporaryDirectory.path
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// - Throws: `POSIXError`, for instance on a full disk.
  package func append(_ bytes: some Collection<UInt8>) throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
      if count < 0 {
        if errno == EINTR { continue }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      size += Int64(count)
      rest = rest.dropFirst(count)
    }
  }

  /// The bytes from a place on, `limit` at most; empty at the end.
  /// - Throws: `POSIXError` where the disk does not return what was written.
  package func read(from place: Int64, upTo limit: Int = CaptureOutput.piece) throws -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      repeat {
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
      } while count < 0 && errno == EINTR
      count = max(count, 0)
    }
    guard !bytes.isEmpty || place >= size else { throw POSIXError(.EIO) }
    return bytes
  }
}
