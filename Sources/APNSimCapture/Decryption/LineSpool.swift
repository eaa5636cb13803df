import Foundation

/// Text that waits on the disk to be read line by line, and again.
final class LineSpool {
  private let file: NamelessFile
  private var place: Int64 = 0
  private var buffer: [UInt8] = []
  private var start = 0

  static let longestLine = 4 << 20

  /// - Throws: `POSIXError` where there is no place for it.
  init() throws { file = try NamelessFile() }

  var isEmpty: Bool { file.size == 0 }

  /// - Throws: `POSIXError`, as on a full disk.
  func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

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
      let more = try file.read(from: place)
      if more.isEmpty { return nil }
      place += Int64(more.count)
      buffer += more
    }
  }
}
