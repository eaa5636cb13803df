import CZlib

/// Reads a gzip stream (RFC 1952) piece by piece; several members in a row are one text, and zeros after a member are
/// ignored.
package final class GzipInflater {
  /// The result of one step.
  package struct Step {
    /// The number of input bytes used, and of output bytes written.
    package var consumed: Int
    package var produced: Int
  }

  private let stream: UnsafeMutablePointer<z_stream>
  /// True between two members, where a file may end.
  package private(set) var isAtEnd = false
  /// The error in the input after the bytes that were returned last.
  private var trouble: GzipError?

  /// The two bytes at the start of every gzip file.
  package static let magic: [UInt8] = [0x1F, 0x8B]

  package init() throws(GzipError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard apnsim_inflate_init(stream) == Z_OK else { throw GzipError("there is no memory to inflate with") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// True where a member may go on or end: after a whole block, at the beginning of a byte, as a sync flush leaves it. All
  /// text up to there has been returned.
  package var isAtFlush: Bool {
    // Of the bits that zlib tells: a block has ended (128), it was not the last one (64), and no bit of a byte is left.
    !isAtEnd && stream.pointee.data_type & 0xFF == 128
  }

  /// The bytes that end the present member there: an empty last block, then checksum and length of its text (RFC 1952,
  /// section 2.3.1).
  package var ending: [UInt8] {
    GzipDeflater.ending(
      checksum: UInt32(truncatingIfNeeded: stream.pointee.adler),
      byteCount: UInt32(truncatingIfNeeded: stream.pointee.total_out)
    )
  }

  /// Inflates as much as fits; `consumed` and `produced` are both 0 only when more input is needed.
  package func inflate(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) throws(GzipError) -> Step {
    if let trouble { throw trouble }
    guard !input.isEmpty, !output.isEmpty else { return Step(consumed: 0, produced: 0) }
    if isAtEnd {
      // Tapes and block devices pad with zeros after the last member; gunzip ignores them, too.
      let padding = input.prefix { $0 == 0 }.count
      guard padding == 0 else { return Step(consumed: padding, produced: 0) }
      guard inflateReset(stream) == Z_OK else { throw GzipError("the inflater cannot begin again") }
      isAtEnd = false
    }
    let (inputCount, outputCount) = (min(input.count, 1 << 30), min(output.count, 1 << 30))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    )
    stream.pointee.avail_in = UInt32(inputCount)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(outputCount)
    let result = CZlib.inflate(stream, Z_NO_FLUSH)
    switch result {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isAtEnd = true
    default: trouble = GzipError(stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)")
    }
    let step = Step(
      consumed: inputCount - Int(stream.pointee.avail_in),
      produced: outputCount - Int(stream.pointee.avail_out)
    )
    if step.produced == 0, let trouble { throw trouble }
    return step
  }
}
