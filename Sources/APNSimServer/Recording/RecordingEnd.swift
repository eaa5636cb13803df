import APNSimGzip
import APNSimSystem
import APNSimWire

/// Decides whether what is about to be recorded goes on where a recording ends.
package struct RecordingContinuation {
  let goesOn: (RecordingEnd) -> Bool

  init(_ goesOn: @escaping (RecordingEnd) -> Bool) { self.goesOn = goesOn }
}

/// The end of a recording that is there, for a simulator that may go on in it: its last event, and where the next one
/// belongs.
struct RecordingEnd {
  /// The first line, with its newline.
  let header: [UInt8]
  /// The last whole line, without its newline.
  let last: [UInt8]
  /// The sequence number of that line.
  let seq: UInt64
  /// The seed that the header names.
  let seed: UInt64?
  let isRedacted: Bool
  /// The number of bytes of the file that are whole lines. After them is at most the beginning of one that was not
  /// finished.
  let byteCount: Int64
  /// The bytes that end a compressed text there, which a process that was killed has not written.
  let ending: [UInt8]
  /// The number of bytes after the whole lines.
  let cutCount: Int64

  /// The most bytes of one line, which a scenario in a command may take.
  private static let mostBytes = 64 << 20
  private static let newline = UInt8(ascii: "\n")

  /// Reads the end of a recording; nil where there is none that lines can follow: it is damaged, or has no event.
  /// - Parameter isCompressed: true where what follows will be.
  init?(_ file: SystemFile, isCompressed: Bool) {
    var start = [UInt8](repeating: 0, count: GzipInflater.magic.count)
    let hasMagic = file.look(into: &start, at: 0) == start.count && start == GzipInflater.magic
    guard hasMagic == isCompressed, let found = isCompressed ? Self.inflated(file) : Self.plain(file) else {
      return nil
    }
    guard let first = try? JSONValue.parse(found.header), first.objectValue?.first?.key == "apnsim",
      first.member("apnsim") == .string("journal"), first.member("version")?.intValue == 1,
      first.member("source") == nil,
      let event = try? JSONValue.parse(found.last), event.objectValue?.first?.key == "seq",
      let seq = event.member("seq")?.intValue.flatMap({ UInt64(exactly: $0) }), event.member("event") != nil
    else { return nil }
    header = found.header
    last = found.last
    self.seq = seq
    seed = if case .number(let digits)? = first.member("seed") { UInt64(digits) } else { nil }
    isRedacted = first.member("redacted") == .bool(true)
    byteCount = found.byteCount
    ending = found.ending
    cutCount = file.knownByteCount - found.byteCount
  }

  /// The lines that were found, and where they end.
  private struct Found {
    var header: [UInt8]
    var last: [UInt8]
    var byteCount: Int64
    var ending: [UInt8] = []
  }

  // MARK: Plain

  private static func plain(_ file: SystemFile) -> Found? {
    var header: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while header.last != newline {
      let count = file.look(into: &chunk, at: Int64(header.count))
      guard count > 0, header.count < mostBytes else { return nil }
      let piece = chunk[..<count]
      header += piece.firstIndex(of: newline).map { piece[...$0] } ?? piece
    }
    guard let (last, end) = lastLine(of: file) else { return nil }
    return Found(header: header, last: last, byteCount: end)
  }

  /// The last line that has a newline, and the offset after that.
  private static func lastLine(of file: SystemFile) -> (line: [UInt8], end: Int64)? {
    var tail: [UInt8] = []
    var start = file.knownByteCount
    while start > 0, tail.count < mostBytes {
      let count = Int(min(start, 65_536))
      var chunk = [UInt8](repeating: 0, count: count)
      start -= Int64(count)
      guard file.look(into: &chunk, at: start) == count else { return nil }
      tail = chunk + tail
      guard let last = tail.lastIndex(of: newline) else { continue }
      guard let before = tail[..<last].lastIndex(of: newline) else { continue }
      return (Array(tail[(before + 1)..<last]), start + Int64(last + 1))
    }
    return nil
  }

  // MARK: Compressed

  /// Reads the whole text: where a compressed one ends well is not known before.
  private static func inflated(_ file: SystemFile) -> Found? {
    guard let inflater = try? GzipInflater() else { return nil }
    var text = TextEnd()
    var found: Found?
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var room = [UInt8](repeating: 0, count: 1 << 18)
    var offset: Int64 = 0
    var flush = FlushMark()

    /// Takes note of a place at which lines can follow.
    func note(_ end: Int64) {
      guard text.partial.isEmpty, !text.header.isEmpty else { return }
      found = Found(
        header: text.header,
        last: text.last,
        byteCount: end,
        ending: inflater.isAtEnd ? [] : inflater.ending
      )
    }

    while true {
      let count = file.look(into: &chunk, at: offset)
      guard count > 0 else { return found }
      var place = 0
      while place < count {
        // Up to the next place that a flush may have left.
        let end = flush.next(in: chunk, from: place, to: count)
        while place < end {
          let step = chunk[place..<end].withUnsafeBytes { input in
            room.withUnsafeMutableBytes { try? inflater.inflate(input, into: $0) }
          }
          // A damaged recording is not continued.
          guard let step, step.consumed + step.produced > 0, text.follow(room[..<step.produced]) else {
            return nil
          }
          place += step.consumed
          if inflater.isAtEnd { note(offset + Int64(place)) }
        }
        if inflater.isAtFlush { note(offset + Int64(place)) }
      }
      offset += Int64(count)
    }
  }

  /// Finds the bytes that a sync flush ends with: an empty block without compression (RFC 1951, section 3.2.4).
  private struct FlushMark {
    private var recent: UInt32 = .max

    /// The place after the next ones, or the end where there are none.
    mutating func next(in bytes: [UInt8], from start: Int, to end: Int) -> Int {
      bytes.withUnsafeBufferPointer { bytes in
        var recent = recent
        defer { self.recent = recent }
        for place in start..<end {
          recent = recent << 8 | UInt32(bytes[place])
          if recent == 0x0000_FFFF { return place + 1 }
        }
        return end
      }
    }
  }

  /// The first line of a text, its last one, and what follows that.
  private struct TextEnd {
    /// With its newline; empty until it is whole.
    var header: [UInt8] = []
    /// Without its newline.
    var last: [UInt8] = []
    var partial: [UInt8] = []

    /// Takes note of the next bytes; false where a line takes too many.
    mutating func follow(_ bytes: ArraySlice<UInt8>) -> Bool {
      guard let end = bytes.lastIndex(of: RecordingEnd.newline) else {
        partial += bytes
        return partial.count < RecordingEnd.mostBytes
      }
      if header.isEmpty, let first = bytes.firstIndex(of: RecordingEnd.newline) {
        header = partial + bytes[...first]
      }
      if let before = bytes[..<end].lastIndex(of: RecordingEnd.newline) {
        last = Array(bytes[(before + 1)..<end])
      } else {
        last = partial + bytes[..<end]
      }
      partial = Array(bytes[(end + 1)...])
      return true
    }
  }
}
