/// A file's bytes, pulled piece by piece and inflated where it is gzip: however large the file, memory holds one piece
/// and what was asked for.
package final class CaptureInput {
  package let name: String
  /// The place of the next byte, counted from the beginning; of what is inflated, where the file is gzip.
  package private(set) var offset = 0

  private var buffer: [UInt8]
  private var start = 0
  private let file: CaptureFile?
  private var isAtEnd = false

  private static let chunk = 256 * 1024

  /// Bytes in memory, under a name for messages.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    buffer = bytes
    file = nil
  }

  /// A file, or stdin for `-`.
  /// - Throws: `ImportError` with what the system says.
  package init(path: String) throws(ImportError) {
    buffer = []
    do throws(CaptureFailure) {
      let file = try CaptureFile(path: path)
      self.file = file
      name = file.path
    } catch {
      throw ImportError(file: path, "cannot be read: \(error.reason)")
    }
  }

  /// How much of the file has been read, from 0 to 1; nil where its size is not known.
  package var progress: Double? {
    guard let file, let size = file.size, size > 0 else { return nil }
    return Double(file.position) / Double(size)
  }

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
    guard buffer.count - start < count, !isAtEnd, let file else { return }
    buffer.removeSubrange(..<start)
    start = 0
    while buffer.count < count, !isAtEnd {
      let before = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
      let result = buffer.withUnsafeMutableBytes { bytes -> Result<Int, CaptureFile.Trouble> in
        do throws(CaptureFile.Trouble) {
          return .success(try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[before...])))
        } catch {
          return .failure(error)
        }
      }
      switch result {
      case .success(let read):
        buffer.removeLast(Self.chunk - read)
        isAtEnd = read == 0
      case .failure(let trouble):
        buffer.removeLast(buffer.count - before)
        isAtEnd = true
        let reason =
          switch trouble {
          case .system(let failure): failure.reason
          case .damaged(let reason): reason
          }
        throw ImportError(file: name, offset: offset + before, reason)
      }
    }
  }
}
