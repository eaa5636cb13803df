import SystemPackage

/// A temporary file that is unlinked as soon as it is open: however the process ends, nothing of it remains.
package final class UnlinkedFile {
  let file: SystemFile
  package private(set) var byteCount: Int64 = 0

  package init() throws(SystemError) {
    file = try SystemFile(
      SystemFolder.temporaryPath(),
      .readWrite,
      [.create, .exclusiveCreate]
    )
    try SystemPath.remove(file.path)
  }

  package func append(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes, at: byteCount)
    byteCount += Int64(bytes.count)
  }

  /// The bytes from an offset on, `limit` at most; empty at the end.
  /// - Throws: an error also where the disk does not return what was written.
  package func read(from offset: Int64, upTo limit: Int) throws(SystemError) -> [UInt8] {
    let bytes = try file.read(limit, at: offset)
    guard !bytes.isEmpty || offset >= byteCount else { throw SystemError("pread", file.path, .ioError) }
    return bytes
  }
}
