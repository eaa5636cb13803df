import CZlib

/// Writes a gzip stream (RFC 1952) piece by piece.
package final class GzipDeflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var room = [UInt8](repeating: 0, count: 65_536)

  /// - Parameter level: from 1, the fastest, to 9; nil is zlib's own choice.
  package init(level: Int? = nil) throws(GzipError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard apnsim_deflate_init(stream, level.map { CInt($0) } ?? Z_DEFAULT_COMPRESSION) == Z_OK else {
      throw GzipError("there is no memory to deflate with")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The amount of output that follows an input.
  package enum Flush {
    /// As much as gives the best compression.
    case no
    /// All of it: a reader of the output so far sees all input so far.
    case sync
    /// All of it, followed by the end of the stream.
    case finish
  }

  /// The bytes that end the stream after the last `sync`: an empty last block, then checksum and length of the text
  /// so far (RFC 1952, section 2.3.1).
  package var ending: [UInt8] {
    Self.ending(
      checksum: UInt32(truncatingIfNeeded: stream.pointee.adler),
      byteCount: UInt32(truncatingIfNeeded: stream.pointee.total_in)
    )
  }

  static func ending(checksum: UInt32, byteCount: UInt32) -> [UInt8] {
    [0x03, 0x00]
      + [checksum, byteCount].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// Compresses bytes and passes the available output to `write`, in pieces.
  package func deflate(
    _ input: UnsafeRawBufferPointer,
    _ flush: Flush,
    _ write: (UnsafeRawBufferPointer) -> Void
  ) throws(GzipError) {
    var rest = input[...]
    let mode = flush == .no ? Z_NO_FLUSH : flush == .sync ? Z_SYNC_FLUSH : Z_FINISH
    while true {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      let isLast = part.count == rest.count
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self)
      )
      stream.pointee.avail_in = UInt32(part.count)
      var isFull = true
      while isFull {
        let (result, produced) = room.withUnsafeMutableBufferPointer { room -> (CInt, Int) in
          stream.pointee.next_out = room.baseAddress
          stream.pointee.avail_out = UInt32(room.count)
          let result = CZlib.deflate(stream, isLast ? mode : Z_NO_FLUSH)
          return (result, room.count - Int(stream.pointee.avail_out))
        }
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
          throw GzipError("zlib error \(result)")
        }
        if produced > 0 { room.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<produced])) } }
        isFull = stream.pointee.avail_out == 0
      }
      if isLast { return }
      rest = rest.dropFirst(part.count)
    }
  }
}
