import APNSimSystem
import SystemPackage

extension LogReader.End {
  /// Cuts what is not whole, so that what is written next follows on what was read.
  /// - Returns: the segments that may not be on the disk yet.
  func carryOut() throws(StateFailure) -> [LogSegment] {
    // The last one first: what is left is a log at any time.
    for path in removed.reversed() {
      do throws(SystemError) { try SystemPath.remove(path) } catch { throw StateFailure(path, error) }
    }
    var open: [LogSegment] = []
    for segment in segments {
      guard let used = segment.used else { continue }
      do throws(SystemError) {
        let file = try SystemFile(ours: segment.path, .readWrite)
        if try file.byteCount > used { try file.resize(to: Int64(used)) }
        open.append(LogSegment(file, used: used))
      } catch {
        throw StateFailure(segment.path, error)
      }
    }
    return open
  }
}
