import APNSimCapture

/// A file's bytes, read piece by piece and inflated where it is gzip. Memory holds one piece and the bytes that were
/// asked for, however large the file is.
package final class CaptureInput {
  package let name: String
  /// The offset of the next byte, in the inflated text where the file is gzip.
  package private(set) var offset = 0

  private var buffer: [UInt8]
  private var start = 0
  private let file: CaptureFile?
  private var isAtEnd = false
  /// The error after the bytes in the buffer; nil at the file's end.
  private var trouble: ImportError?

  private static let chunk = 256 * 1024

  /// Bytes in memory, under a name for messages.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    buffer = bytes
    file = nil
  }

  /// A file, or stdin for `-`.
  /// - Throws: `ImportError` with the system's reason.
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

  /// The file at its beginning again; nil for bytes in memory, or once some were taken.
  func rewound() -> CaptureFile? {
    guard let file, offset == 0 else { return nil }
    file.giveBack(buffer[start...])
    return file
  }

  /// The part of the file that has been read, from 0 to 1; nil where its size is not known.
  package var progress: Double? {
    guard let file, let size = file.size, size > 0 else { return nil }
    return Double(file.position) / Double(size)
  }

  /// The next `count` bytes without taking them; fewer at the end.
  package func peek(_ count: Int) throws(ImportError) -> ArraySlice<UInt8> {
    try fill(count)
    return buffer[start...].prefix(count)
  }

  /// The next bytes without taking them, `limit` at most, for format detection: damage after the first of them is
  /// reported when it is reached.
  func glance(_ limit: Int) throws(ImportError) -> ArraySlice<UInt8> {
    load(limit)
    if start == buffer.count, let trouble { throw trouble }
    return buffer[start...].prefix(limit)
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

  /// Has `count` bytes in the buffer, or all up to the end.
  /// - Throws: `ImportError` where what follows cannot be read.
  private func fill(_ count: Int) throws(ImportError) {
    load(count)
    if buffer.count - start < count, let trouble { throw trouble }
  }

  private func load(_ count: Int) {
    guard buffer.count - start < count, !isAtEnd, let file else { return }
    buffer.removeSubrange(..<start)
    start = 0
    while buffer.count < count, !isAtEnd {
      let before = buffer.count
      buffer += [UInt8](repeating: 0, count: Self.chunk)
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
      case .failure(let failure):
        buffer.removeLast(buffer.count - before)
        isAtEnd = true
        let reason =
          switch failure {
          case .system(let failure): failure.reason
          case .damaged(let reason): reason
          }
        trouble = ImportError(file: name, offset: offset + before, reason)
      }
    }
  }
}
