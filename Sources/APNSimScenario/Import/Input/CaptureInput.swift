import Foundation

/// A file's bytes, pulled piece by piece: however large the file, memory holds one piece and what was asked for.
package final class CaptureInput {
  package let name: String
  /// The place of the next byte, counted from the beginning of the file.
  package private(set) var offset = 0
  /// How many bytes there are in all, where that is known.
  package let size: Int?

  private var buffer: [UInt8]
  private var start = 0
  private let handle: FileHandle?
  private var isAtEnd = false

  /// Bytes asked of the system at once.
  private static let chunk = 256 * 1024

  /// Bytes in memory, under a name for messages.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    buffer = bytes
    size = bytes.count
    handle = nil
  }

  /// A file, or stdin for `-`.
  /// - Throws: `ImportError` with what the system says.
  package init(file: String) throws(ImportError) {
    buffer = []
    guard file != "-" else {
      name = "stdin"
      handle = .standardInput
      size = nil
      return
    }
    name = file
    do {
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory), isDirectory.boolValue {
        throw ImportError(file: file, "is a directory")
      }
      handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int
    } catch let error as ImportError {
      throw error
    } catch {
      throw ImportError(file: file, "cannot be read: \(FileFailure.reason(error))")
    }
  }

  deinit { if let handle, handle !== FileHandle.standardInput { try? handle.close() } }

  /// The next `count` bytes without taking them; fewer at the end.
  package func peek(_ count: Int) throws(ImportError) -> ArraySlice<UInt8> {
    try fill(count)
    return buffer[start...].prefix(count)
  }

  /// Takes the next `count` bytes, or nil, taking none, when there are not so many.
  package func take(_ count: Int) throws(ImportError) -> ArraySlice<UInt8>? {
    try fill(count)
    guard buffer.count - start >= count else { return nil }
    let taken = buffer[start..<start + count]
    start += count
    offset += count
    return taken
  }

  /// Takes what comes next, as much as is at hand and at most `count` bytes; nil at the end.
  package func takeSome(atMost count: Int) throws(ImportError) -> ArraySlice<UInt8>? {
    try fill(1)
    let available = min(count, buffer.count - start)
    guard available > 0 else { return nil }
    return try take(available)
  }

  /// Everything that is left.
  /// - Throws: `ImportError` when that is more than `limit` bytes.
  package func takeAll(limit: Int) throws(ImportError) -> ArraySlice<UInt8> {
    try fill(limit + 1)
    guard buffer.count - start <= limit else {
      throw ImportError(file: name, "is larger than \(limit >> 20) MiB")
    }
    return try take(buffer.count - start) ?? []
  }

  private func fill(_ count: Int) throws(ImportError) {
    guard buffer.count - start < count, !isAtEnd, let handle else { return }
    buffer.removeSubrange(..<start)
    start = 0
    while buffer.count < count {
      let data: Data?
      do {
        data = try handle.read(upToCount: max(Self.chunk, min(count - buffer.count, 1 << 24)))
      } catch {
        throw ImportError(file: name, offset: offset, "cannot be read: \(FileFailure.reason(error))")
      }
      guard let data, !data.isEmpty else {
        isAtEnd = true
        return
      }
      buffer += data
    }
  }
}
