import APNSimScenario
import Foundation

/// Bytes that wait on the disk for what stands before them; gone with the process.
final class Spool {
  private let file: UnsafeMutablePointer<FILE>
  private var failure: CommandFailure?

  /// - Throws: `CommandFailure` with status 73.
  init() throws(CommandFailure) {
    guard let file = tmpfile() else { throw Self.failure() }
    self.file = file
  }

  deinit { fclose(file) }

  func write(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    if fwrite(bytes, 1, bytes.count, file) != bytes.count { failure = failure ?? Self.failure() }
  }

  /// Writes all of them.
  func copy(to output: CaptureOutput) throws {
    // `rewind` forgets what went wrong.
    if fflush(file) != 0 { failure = failure ?? Self.failure() }
    rewind(file)
    var piece = [UInt8](repeating: 0, count: CaptureOutput.piece)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      try output.write(piece[..<count])
    }
    if ferror(file) != 0 { failure = failure ?? Self.failure() }
    if let failure { throw failure }
  }

  private static func failure() -> CommandFailure {
    let reason = FileFailure.last
    return CommandFailure(.cannotWrite, "cannot write a temporary file: \(reason)")
  }
}
