import APNSimScenario

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A temporary file that is unlinked as soon as it is open: however the process ends, nothing of it remains.
package final class UnlinkedFile {
  package let descriptor: CInt
  private(set) package var size: Int64 = 0

  /// - Throws: `SystemError` where it cannot be made.
  package init() throws {
    let path = Self.place + "/apnsim-XXXXXX"
    var template = path.utf8CString.map { $0 }
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError.last }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// The folder of temporary files, for messages.
  package static var place: String { SystemFile.temporaryDirectory }

  /// - Throws: `SystemError`, for instance on a full disk.
  package func append(_ bytes: some Collection<UInt8>) throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError.last
      }
      size += Int64(count)
      rest = rest.dropFirst(count)
    }
  }

  /// The bytes from a place on, `limit` at most; empty at the end.
  /// - Throws: `SystemError` where the disk does not return what was written.
  package func read(from place: Int64, upTo limit: Int = CaptureOutput.piece) throws -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      repeat {
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
      } while count < 0 && errno == EINTR
      count = max(count, 0)
    }
    guard !bytes.isEmpty || place >= size else { throw SystemError(EIO) }
    return bytes
  }
}
