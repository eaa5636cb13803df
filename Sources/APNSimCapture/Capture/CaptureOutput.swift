import APNSimGzip
package import APNSimSystem
import SystemPackage

/// A capture file that is being written; compressed when its name ends in `.gz`. `-` is the standard output.
package final class CaptureOutput {
  /// The number of bytes that a writer of much gathers before it writes them.
  package static let piece = 65_536

  private let path: String
  private let file: SystemFile
  private let deflater: GzipDeflater?
  private var failure: CaptureFailure?

  /// Makes the file, or empties it.
  /// - Parameters:
  ///   - draft: the path under which the file stands until it is whole; messages name `path`.
  ///   - mode: of a file that is made, less what the umask takes away.
  ///   - prepare: is given a file that is no stream before anything is written.
  package init(
    path: String,
    draft: String? = nil,
    mode: UInt32 = 0o666,
    prepare: (SystemFile) -> Void = { _ in }
  ) throws(CaptureFailure) {
    self.path = path
    do throws(GzipError) {
      deflater = path.hasSuffix(".gz") ? try GzipDeflater() : nil
    } catch {
      throw CaptureFailure(.unwritable, path: path, reason: error.description)
    }
    guard path != "-" else {
      file = .standardOutput
      return
    }
    do throws(SystemError) {
      file = try SystemFile(draft ?? path, .writeOnly, [.create, .truncate], mode: mode)
    } catch {
      throw .notWritten(path, error)
    }
    prepare(file)
  }

  /// Writes whole lines.
  package func write(_ lines: some Collection<UInt8>) throws(CaptureFailure) {
    Array(lines).withUnsafeBytes { put($0, .no) }
    if let failure { throw failure }
  }

  /// Writes the end of the file.
  package func finish() throws(CaptureFailure) {
    if deflater != nil { put(UnsafeRawBufferPointer(start: nil, count: 0), .finish) }
    if let failure { throw failure }
  }

  private func put(_ bytes: UnsafeRawBufferPointer, _ flush: GzipDeflater.Flush) {
    guard let deflater else { return store(bytes) }
    do throws(GzipError) {
      try deflater.deflate(bytes, flush) { store($0) }
    } catch {
      failure = failure ?? CaptureFailure(.unwritable, path: path, reason: error.description)
    }
  }

  private func store(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(SystemError) { try file.write(bytes) } catch { failure = .notWritten(path, error) }
  }
}
