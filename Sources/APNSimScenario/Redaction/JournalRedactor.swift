/// Redacts a journal on its way to a file: whole lines in, as many lines out.
package final class JournalRedactor: @unchecked Sendable {
  // Used by one queue.
  private var redactor: CaptureRedactor

  package init(_ pseudonyms: TokenPseudonyms) { redactor = CaptureRedactor(pseudonyms) }

  /// The same as a function, for who writes a journal.
  package var filter: @Sendable (UnsafeRawBufferPointer) -> [UInt8] { { self.redact($0) } }

  package func redact(_ lines: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(lines.count)
    for line in lines.split(separator: 0x0A) {
      output += redactor.redact(UnsafeRawBufferPointer(rebasing: line))
      output.append(0x0A)
    }
    return output
  }
}
