import APNSimCapture
import APNSimScenario

/// Bytes that wait on the disk for those before them; gone with the process.
final class Spool {
  private let file: UnlinkedFile
  private var failure: CommandFailure?

  /// - Throws: `CommandFailure` with status 73.
  init() throws(CommandFailure) {
    do {
      file = try UnlinkedFile()
    } catch {
      throw Self.failure(error)
    }
  }

  func write(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    do {
      try file.append(bytes)
    } catch {
      failure = Self.failure(error)
    }
  }

  /// Writes all of them.
  func copy(to output: CaptureOutput) throws {
    if let failure { throw failure }
    var place: Int64 = 0
    while place < file.size {
      let piece: [UInt8]
      do {
        piece = try file.read(from: place)
      } catch {
        throw Self.failure(error)
      }
      try output.write(piece)
      place += Int64(piece.count)
    }
  }

  private static func failure(_ error: any Error) -> CommandFailure {
    CommandFailure(.cannotWrite, "cannot keep a temporary file in \(UnlinkedFile.place): \(error)")
  }
}
