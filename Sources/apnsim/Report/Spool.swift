import APNSimCapture
import APNSimSystem

/// Bytes that wait on the disk for those before them; gone with the process.
final class Spool {
  /// The number of bytes that a writer of much gathers before it writes them.
  static let piece = CaptureOutput.piece

  private let file: UnlinkedFile
  private var failure: CommandFailure?

  /// - Throws: `CommandFailure` with status 73.
  init() throws(CommandFailure) {
    do throws(SystemError) {
      file = try UnlinkedFile()
    } catch {
      throw Self.failure(error)
    }
  }

  func write(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    do throws(SystemError) {
      try file.append(Array(bytes))
    } catch {
      failure = Self.failure(error)
    }
  }

  /// Writes all of them.
  func copy(to sink: ReportSink) throws {
    if let failure { throw failure }
    var place: Int64 = 0
    while place < file.byteCount {
      let piece: [UInt8]
      do throws(SystemError) {
        piece = try file.read(from: place, upTo: CaptureOutput.piece)
      } catch {
        throw Self.failure(error)
      }
      try sink(piece)
      place += Int64(piece.count)
    }
  }

  private static func failure(_ error: SystemError) -> CommandFailure {
    CommandFailure(.cannotWrite, "cannot keep a temporary file in \(SystemFolder.temporary): \(error.text)")
  }
}
