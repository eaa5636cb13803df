import APNSimGzip
import APNSimScenario
import APNSimSystem
import SystemPackage

/// A file, or the standard input as `-`, read once from its beginning; inflated on the way where it is gzip, which
/// its first two bytes say (RFC 1952, section 2.3.1).
package final class CaptureFile {
  package let path: String
  /// Bytes of the file itself that were read so far.
  package private(set) var position: Int64 = 0
  /// The file's size; nil where it has none, as a pipe.
  package let size: Int64?
  /// Nil for bytes in memory.
  private let file: SystemFile?
  private var raw: [UInt8]
  private var unread = 0..<0
  private var inflater: GzipInflater?
  private var isAtEnd = false
  package var isCompressed: Bool { inflater != nil }
  /// Text that was read and given back.
  private var returned: ArraySlice<UInt8> = []

  package init(path: String) throws(CaptureFailure) {
    self.path = path == "-" ? "stdin" : path
    let file: SystemFile
    do throws(SystemError) {
      file = path == "-" ? .standardInput : try SystemFile(path, .readOnly)
    } catch {
      throw CaptureFailure(.unreadable, path: path, reason: error.text)
    }
    self.file = file
    raw = [UInt8](repeating: 0, count: 256 * 1024)
    let facts = try? file.facts
    guard facts?.isDirectory != true else {
      throw CaptureFailure(.unreadable, path: path, reason: "is a directory")
    }
    size = facts.flatMap { $0.isRegular ? $0.size : nil }
    while unread.count < 2, !isAtEnd { try fill() }
    try recognizeGzip()
  }

  /// Bytes in memory, under a name for messages.
  package init(name: String, bytes: [UInt8]) throws(CaptureFailure) {
    (path, size, file, raw) = (name, Int64(bytes.count), nil, bytes)
    (unread, isAtEnd, position) = (0..<bytes.count, true, Int64(bytes.count))
    try recognizeGzip()
  }

  /// True for a regular file, which can be read more than once; false for pipes and stdin.
  package static func canBeReread(_ path: String) -> Bool {
    path != "-" && SystemPath.facts(path)?.isRegular == true
  }

  private func recognizeGzip() throws(CaptureFailure) {
    guard unread.count >= 2, Array(raw[unread.prefix(2)]) == GzipInflater.magic else { return }
    do throws(GzipError) {
      inflater = try GzipInflater()
    } catch {
      throw CaptureFailure(.unreadable, path: path, reason: error.description)
    }
  }

  /// The reason why the rest cannot be read.
  package enum Trouble: Error {
    case system(CaptureFailure)
    case damaged(String)
  }

  /// Gives back text that was read last, to be read again.
  package func giveBack(_ text: ArraySlice<UInt8>) { returned = text + returned }

  /// Reads more of the text; 0 at its end.
  package func read(into output: UnsafeMutableRawBufferPointer) throws(Trouble) -> Int {
    if !returned.isEmpty {
      let count = min(returned.count, output.count)
      output.copyBytes(from: returned.prefix(count))
      returned = returned.dropFirst(count)
      return count
    }
    guard let inflater else { return try readPlain(into: output) }
    while true {
      if unread.isEmpty, !isAtEnd {
        do throws(CaptureFailure) { try fill() } catch { throw .system(error) }
      }
      if unread.isEmpty {
        guard inflater.isAtEnd else { throw .damaged("the compressed file ends before its text does") }
        return 0
      }
      let step: GzipInflater.Step
      switch raw.withUnsafeBytes({ inflate(inflater, UnsafeRawBufferPointer(rebasing: $0[unread]), output) })
      {
      case .success(let done): step = done
      case .failure(let error):
        throw .damaged("the compressed data is damaged (\(error))")
      }
      unread = unread.dropFirst(step.consumed)
      if step.produced > 0 { return step.produced }
      if step.consumed == 0 { throw .damaged("the compressed data does not go on") }
    }
  }

  /// Yields the bytes peeked for format detection, then reads straight from the file.
  private func readPlain(into output: UnsafeMutableRawBufferPointer) throws(Trouble) -> Int {
    if unread.isEmpty, !isAtEnd {
      do throws(CaptureFailure) { return try fill(output) } catch { throw .system(error) }
    }
    let count = min(unread.count, output.count)
    raw.withUnsafeBytes {
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[unread].prefix(count)))
    }
    unread = unread.dropFirst(count)
    return count
  }

  private func inflate(
    _ inflater: GzipInflater,
    _ input: UnsafeRawBufferPointer,
    _ output: UnsafeMutableRawBufferPointer
  ) -> Result<GzipInflater.Step, GzipError> {
    do throws(GzipError) { return .success(try inflater.inflate(input, into: output)) } catch {
      return .failure(error)
    }
  }

  /// Reads more of the file itself after the unread bytes.
  private func fill() throws(CaptureFailure) {
    if unread.isEmpty { unread = 0..<0 }
    let start = unread.upperBound
    let result = raw.withUnsafeMutableBytes { buffer in
      Result { () throws(CaptureFailure) in
        try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
      }
    }
    unread = unread.lowerBound..<start + (try result.get())
  }

  /// Reads more of the file itself; 0 at its end.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CaptureFailure) -> Int {
    let count: Int
    do throws(SystemError) {
      count = try file?.read(into: buffer) ?? 0
    } catch {
      throw CaptureFailure(.unreadable, path: path, reason: error.text)
    }
    if count == 0 { isAtEnd = true }
    position += Int64(count)
    return count
  }
}
