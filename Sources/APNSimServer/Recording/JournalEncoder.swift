import APNSimGzip

/// The transformation of journal lines on their way to a file: redacted, compressed, both or neither.
///
/// Compressed lines are readable as far as they are in the file: each portion ends with a sync flush.
final class JournalEncoder: @unchecked Sendable {
  // The encoder is used on one queue.
  private let filter: JournalFile.Filter?
  private var deflater: GzipDeflater?
  private let path: String
  private var output: [UInt8] = []
  /// The lines that were encoded last, as the filter gave them.
  private var latest: [UInt8] = []
  /// The bytes that end the file after the last line written.
  private(set) var ending: [UInt8] = []

  /// - Parameter path: the file's path; one that ends in `.gz` is compressed.
  init(path: String, filter: JournalFile.Filter?) throws(OutputFailure) {
    self.filter = filter
    self.path = path
    deflater = path.hasSuffix(".gz") ? try Self.deflater(path) : nil
  }

  private static func deflater(_ path: String) throws(OutputFailure) -> GzipDeflater {
    do throws(GzipError) {
      // The simulator may wait for compression: this level takes half the time for a tenth more bytes.
      return try GzipDeflater(level: 3)
    } catch {
      throw OutputFailure(path: path, reason: error.description)
    }
  }

  /// True if encoding a line costs time.
  var isCostly: Bool { filter != nil || deflater != nil }

  /// Encodes whole lines and passes the result to `write`.
  /// - Returns: the number of bytes written, or the reason why they could not be.
  func encode(
    _ lines: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer) -> OutputFailure?
  ) -> Result<Int, OutputFailure> {
    latest = filter?(lines) ?? Array(lines)
    return latest.withUnsafeBytes { compress($0, write) }
  }

  /// Encodes the lines that the filter has kept, at the end of the recording or of a part of it.
  func finish(
    isPart: Bool = false,
    _ write: (UnsafeRawBufferPointer) -> OutputFailure?
  ) -> Result<Int, OutputFailure> {
    guard let rest = filter?(isPart ? Self.nothing : nil), !rest.isEmpty else { return .success(0) }
    return rest.withUnsafeBytes { compress($0, write) }
  }

  /// Begins a new file in the middle of a recording: encodes its first line, then the lines that the filter has kept.
  /// - Parameters:
  ///   - again: true if the lines that were encoded last come again, before the kept ones.
  ///   - header: the first line, for the lines after it.
  func beginAnew(
    again: Bool,
    _ header: (_ kept: [UInt8]) -> [UInt8],
    _ write: (UnsafeRawBufferPointer) -> OutputFailure?
  ) -> Result<Int, OutputFailure> {
    if deflater != nil {
      do throws(OutputFailure) { deflater = try Self.deflater(path) } catch { return .failure(error) }
      ending = []
    }
    let kept = (again ? latest : []) + (filter?(Self.nothing) ?? [])
    let line = header(kept)
    let first = line.isEmpty ? line : filter.map { filter in line.withUnsafeBytes { filter($0) } } ?? line
    return (first + kept).withUnsafeBytes { compress($0, write) }
  }

  private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  private func compress(
    _ lines: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer) -> OutputFailure?
  ) -> Result<Int, OutputFailure> {
    guard let deflater else { return write(lines).map { .failure($0) } ?? .success(lines.count) }
    output.removeAll(keepingCapacity: true)
    do throws(GzipError) {
      try deflater.deflate(lines, .sync) { output.append(contentsOf: $0) }
    } catch {
      return .failure(OutputFailure(path: path, reason: error.description))
    }
    if let failure = output.withUnsafeBytes(write) { return .failure(failure) }
    ending = deflater.ending
    return .success(output.count)
  }
}
