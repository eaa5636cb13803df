import SystemPackage

extension SystemFile {
  // MARK: Reading

  /// Reads what comes next into a buffer; waits until there is something.
  /// - Returns: the number of bytes, which may be fewer than the buffer takes; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try calling("read", path) { try descriptor.read(into: buffer) }
  }

  /// Reads a regular file from an offset on into a buffer, until the buffer is full or the file ends.
  /// - Returns: the number of bytes.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    try calling("pread", path) {
      var done = 0
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = try descriptor.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
        guard count > 0 else { break }
        done += count
      }
      return done
    }
  }

  /// Up to so many bytes of a regular file from an offset on; fewer where the file ends.
  package func read(_ count: Int, at offset: Int64 = 0) throws(SystemError) -> [UInt8] {
    try Self.bytes(upTo: count) { buffer throws(SystemError) in try read(into: buffer, at: offset) }
  }

  /// The next bytes, waiting until there are some; empty at the end.
  package func next(upTo limit: Int) throws(SystemError) -> [UInt8] {
    try Self.bytes(upTo: limit) { buffer throws(SystemError) in try read(into: buffer) }
  }

  /// Everything to the end or to a limit. A pipe is waited for.
  package func rest(upTo limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let piece = try next(upTo: min(Self.piece, limit - bytes.count))
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    return bytes
  }

  private static let piece = 65_536

  private static func bytes(
    upTo limit: Int,
    _ read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(SystemError) {
        count = try read(UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  // MARK: Writing

  /// Writes all bytes after those that were written before. Part of them may be written where it throws.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes) { rest, _ in try descriptor.write(rest) }
  }

  /// Writes all bytes at an offset of a regular file, and in order anywhere else. Part of them may be written where it
  /// throws.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    guard isRegular else { return try write(bytes) }
    try writeAll(bytes) { rest, done in
      try descriptor.write(toAbsoluteOffset: offset + Int64(done), rest)
    }
  }

  private func writeAll(
    _ bytes: UnsafeRawBufferPointer,
    _ write: (_ rest: UnsafeRawBufferPointer, _ done: Int) throws -> Int
  ) throws(SystemError) {
    try calling("write", path) {
      var done = 0
      while done < bytes.count {
        let count = try write(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
        guard count > 0 else { throw Errno.ioError }
        done += count
      }
    }
  }

  /// Writes all bytes after those that were written before. Part of them may be written where it throws.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Writes all bytes at an offset of a regular file, and in order anywhere else. Part of them may be written where it
  /// throws.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
      try write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }
}
