import APNSimCore
import APNSimSystem
import SystemPackage

/// A snapshot that was found whole.
struct Snapshot: Sendable {
  let head: SnapshotHead
  let path: String
  private let mapping: SystemMapping

  /// Opens a snapshot and looks whether all of it is there.
  init(_ path: String, number: UInt64, origin: UInt64) throws(StateFailure) {
    self.path = path
    let (file, start, byteCount): (SystemFile, [UInt8], Int)
    do throws(SystemError) {
      file = try SystemFile(ours: path, .readOnly)
      (start, byteCount) = (try file.read(FileHead.byteCount), Int(try file.byteCount))
    } catch {
      throw StateFailure(path, error)
    }
    do throws(FileHead.Problem) {
      head = try SnapshotHead(reading: start)
      guard head.number == number else {
        throw .damaged(offset: 16, reason: "snapshot \(number) was expected, found snapshot \(head.number)")
      }
      guard head.origin == origin else { throw .damaged(offset: 40, reason: "it belongs to another state") }
      guard byteCount == FileHead.byteCount + head.byteCount else {
        throw .damaged(
          offset: min(byteCount, FileHead.byteCount + head.byteCount),
          reason: "\(head.byteCount) bytes after the head were expected, "
            + "and \(byteCount - FileHead.byteCount) are there"
        )
      }
    } catch {
      throw error.failure(path)
    }
    do throws(SystemError) {
      mapping = try SystemMapping(file, byteCount: byteCount, isWritable: false)
    } catch {
      throw StateFailure(path, error)
    }
    guard Checksum.of(bytes) == head.sum else {
      throw .damaged(
        file: path,
        offset: FileHead.byteCount,
        reason: "the \(head.byteCount) bytes from here on have another checksum than they had"
      )
    }
  }

  /// The state that was written.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: mapping.bytes[FileHead.byteCount...]) }

  /// Reads the state back.
  func read<State>(
    _ body: (inout StateReader) throws(StateError) -> State
  ) throws(StateFailure) -> State {
    var reader = StateReader(bytes)
    do throws(StateError) {
      let state = try body(&reader)
      guard reader.isAtEnd else {
        throw StateError(
          "the state was expected to end, and \(bytes.count - reader.offset) bytes follow",
          at: reader.offset
        )
      }
      return state
    } catch {
      throw .damaged(file: path, offset: FileHead.byteCount + error.offset, reason: error.reason)
    }
  }
}
