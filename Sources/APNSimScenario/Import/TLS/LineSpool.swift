import Foundation

/// Text that is kept in a file without a name, to be read line by line and again: whatever ends us, nothing of it is
/// left behind.
final class LineSpool {
  private let descriptor: CInt
  private var size: off_t = 0
  private var place: off_t = 0
  private var buffer: [UInt8] = []
  private var start = 0

  private static let longestLine = 4 << 20

  /// - Throws: `POSIXError` where there is no place for it.
  init() throws { descriptor = try Self.namelessFile() }

  deinit { close(descriptor) }

  var isEmpty: Bool { size == 0 }

  /// - Throws: `POSIXError`, as on a full disk.
  func append(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, size) }
      if count < 0 {
        if errno == EINTR { continue }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      size += off_t(count)
      rest = rest.dropFirst(count)
    }
  }

  /// Reading begins again with the first line.
  func rewind() { (place, buffer, start) = (0, [], 0) }

  /// The next line; nil behind the last, and one without its end is none.
  /// - Throws: `POSIXError`, `EMSGSIZE` for a line that no memory is kept for.
  func line() throws -> String? {
    var sought = start
    while true {
      if let end = buffer[sought...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return String(decoding: buffer[start..<end], as: UTF8.self)
      }
      buffer.removeSubrange(..<start)
      start = 0
      sought = buffer.count
      guard buffer.count < Self.longestLine else { throw POSIXError(.EMSGSIZE) }
      guard try load() else { return nil }
    }
  }

  private func load() throws -> Bool {
    let more = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
      count = pread(descriptor, buffer.baseAddress, buffer.count, place)
      if count < 0 { count = 0 }
    }
    // Nobody else has the file: less than is in it is an error of the disk.
    guard !more.isEmpty || place == size else { throw POSIXError(.EIO) }
    place += off_t(more.count)
    buffer += more
    return !more.isEmpty
  }

  /// - Throws: `POSIXError`.
  static func namelessFile() throws -> CInt {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-XXXXXX").path
    var template = path.utf8CString.map { $0 }
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
