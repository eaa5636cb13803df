internal import APNSimGzip

/// What the lines of a journal become on their way to a file: redacted, compressed, both or neither.
///
/// Compressed lines can be read as far as they stand in the file, whatever happens to the rest: each portion ends at a
/// byte, with everything before it.
final class JournalEncoder: @unchecked Sendable {
  // Used by one queue.
  private let filter: JournalFile.Filter?
  private let deflater: GzipDeflater?
  private let path: String
  private var output: [UInt8] = []
  /// What belongs behind the last line that was written.
  private(set) var ending: [UInt8] = []

  /// - Parameter path: one that ends in `.gz` is compressed.
  init(path: String, filter: JournalFile.Filter?) throws(OutputFile.Failure) {
    self.filter = filter
    self.path = path
    do throws(GzipError) {
      // The simulator may wait for this: half the time for a tenth more bytes.
      deflater = path.hasSuffix(".gz") ? try GzipDeflater(level: 3) : nil
    } catch {
      throw OutputFile.Failure(path: path, reason: error.description)
    }
  }

  /// Whether lines cost more than their writing.
  var isCostly: Bool { filter != nil || deflater != nil }

  /// Hands out what is to be written for some whole lines.
  /// - Returns: how many bytes that was, or why it could not be written.
  func encode(
    _ lines: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer) -> OutputFile.Failure?
  ) -> Result<Int, OutputFile.Failure> {
    guard let filter else { return compress(lines, write) }
    return filter(lines).withUnsafeBytes { compress($0, write) }
  }

  /// Hands out what was kept of the lines so far; no more follow.
  func finish(
    _ write: (UnsafeRawBufferPointer) -> OutputFile.Failure?
  ) -> Result<Int, OutputFile.Failure> {
    guard let rest = filter?(nil), !rest.isEmpty else { return .success(0) }
    return rest.withUnsafeBytes { compress($0, write) }
  }

  private func compress(
    _ lines: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer) -> OutputFile.Failure?
  ) -> Result<Int, OutputFile.Failure> {
    guard let deflater else { return write(lines).map { .failure($0) } ?? .success(lines.count) }
    output.removeAll(keepingCapacity: true)
    do throws(GzipError) {
      try deflater.deflate(lines, .sync) { output.append(contentsOf: $0) }
    } catch {
      return .failure(OutputFile.Failure(path: path, reason: error.description))
    }
    if let failure = output.withUnsafeBytes(write) { return .failure(failure) }
    ending = deflater.ending
    return .success(output.count)
  }
}
