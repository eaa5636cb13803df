import APNSimScenario

/// The lines of a capture, one at a time, in memory that does not grow with the file.
final class CaptureLines {
  /// The longest line that is read; the longest that is ever written is a scenario in a header.
  static let longest = DocumentLimits.journalLine

  /// The present line, from 1, and the byte at which it begins.
  private(set) var number = 0
  private(set) var offset: Int64 = 0
  /// True where a newline ends the present line.
  private(set) var isTerminated = true
  /// True where the present line has a backslash.
  private(set) var hasEscapes = false
  let file: CaptureFile
  private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes that were read and not handed out; the present line lies before them.
  private var unread = 0..<0
  private var nextOffset: Int64 = 0
  /// The place in the buffer of the first backslash that was not handed out; `Int.max` where there is none.
  private var backslash = Int.max

  init(_ file: CaptureFile) {
    self.file = file
    // A small file needs little room; inflated text may have any size.
    let room = min(file.size ?? .max, 512 * 1024)
    buffer = .allocate(byteCount: max(16 * 1024, Int(room)), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The next line without its newline (LF or CR LF), valid until the next call; nil at the end. A byte order mark is
  /// no part of the first line, and slashes that another program has escaped (`\/`) are unescaped.
  func next() throws(CaptureFile.Trouble) -> UnsafeRawBufferPointer? {
    number += 1
    offset = nextOffset
    var searched = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[unread].dropFirst(searched))
      if let end = rest.offset(of: UInt8(ascii: "\n")) {
        isTerminated = true
        return take(searched + end, with: 1)
      }
      searched = unread.count
      guard searched <= Self.longest else {
        throw .damaged("a line is longer than \(Self.longest >> 20) MiB")
      }
      guard try readMore() else {
        guard searched > 0 else { return nil }
        isTerminated = false
        return take(searched, with: 0)
      }
    }
  }

  private func take(_ length: Int, with newline: Int) -> UnsafeRawBufferPointer {
    let written = UnsafeMutableRawBufferPointer(rebasing: buffer[unread].prefix(length))
    let end = unread.lowerBound + length
    hasEscapes = false
    var line = UnsafeRawBufferPointer(written)
    if backslash < end {
      let plain = unescapeSlashes(in: written, from: backslash - unread.lowerBound)
      line = UnsafeRawBufferPointer(rebasing: line.prefix(plain))
      findBackslash(from: end)
    }
    if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    if number == 1 { line = UnsafeRawBufferPointer(rebasing: ByteOrderMark.removed(from: line)) }
    unread = unread.dropFirst(length + newline)
    nextOffset = offset + Int64(length + newline)
    return line
  }

  private func findBackslash(from start: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<unread.upperBound])
    backslash = rest.offset(of: UInt8(ascii: "\\")).map { start + $0 } ?? .max
  }

  /// Takes the backslash away from every escaped slash.
  /// - Returns: the length of the line afterwards.
  private func unescapeSlashes(in line: UnsafeMutableRawBufferPointer, from first: Int) -> Int {
    var (read, end) = (first, first)
    while read < line.count {
      if line[read] == UInt8(ascii: "\\"), read + 1 < line.count {
        // Every other escape keeps its backslash, that of a backslash included.
        if line[read + 1] != UInt8(ascii: "/") {
          hasEscapes = true
          line[end] = line[read]
          end += 1
        }
        read += 1
      }
      line[end] = line[read]
      (read, end) = (read + 1, end + 1)
    }
    return end
  }

  /// False at the end of the file.
  private func readMore() throws(CaptureFile.Trouble) -> Bool {
    if unread.lowerBound > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
      if backslash != .max { backslash -= unread.lowerBound }
      unread = 0..<unread.count
    }
    if unread.count == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...]))
    let end = unread.upperBound
    unread = unread.lowerBound..<end + count
    if backslash == .max { findBackslash(from: end) }
    return count > 0
  }
}
