/// Redacts a journal on its way to a file: whole lines in, whole lines out, each at once or with the line that
/// completes its frame. `finish` returns the lines that still wait at the end.
package final class JournalRedactor: @unchecked Sendable {
  // Used by one queue.
  private var redactor: CaptureRedactor

  package init(_ pseudonyms: TokenPseudonyms) { redactor = CaptureRedactor(pseudonyms) }

  /// Both as a function, for writers of a journal: no bytes ask for the lines that wait, as at the end of
  /// a part, and nil ends the lines.
  package var filter: @Sendable (UnsafeRawBufferPointer?) -> [UInt8] {
    { $0.map { $0.isEmpty ? self.release() : self.redact($0) } ?? self.finish() }
  }

  package func redact(_ lines: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(lines.count)
    var rest = lines
    while !rest.isEmpty {
      let end = rest.offset(of: 0x0A) ?? rest.count
      if end > 0 { redactor.redact(UnsafeRawBufferPointer(rebasing: rest.prefix(end)), into: &output) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(end + 1))
    }
    return output
  }

  /// The lines that still wait, where others follow in another file.
  private func release() -> [UInt8] {
    var output: [UInt8] = []
    redactor.release(into: &output)
    return output
  }

  /// The lines that still wait at the end.
  package func finish() -> [UInt8] {
    var output: [UInt8] = []
    redactor.finish(into: &output)
    return output
  }
}
