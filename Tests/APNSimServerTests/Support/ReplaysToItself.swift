import APNSimCapture
import Foundation
import Testing

/// Replays the journal of a recording without a network: it must come out the same, byte for byte.
func expectReplaysToItself(_ journal: String, at place: SourceLocation = #_sourceLocation) throws {
  let path = NSTemporaryDirectory() + "apnsim-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: path) }
  try Data(journal.utf8).write(to: URL(fileURLWithPath: path))
  let replay = try Replay(CaptureReader(path: path))
  #expect(replay.isExact, sourceLocation: place)
  let result = replay.run(observe: { _ in })
  let first = result.firstDifference.map {
    "\(String(decoding: $0.recorded, as: UTF8.self))\n\(String(decoding: $0.replayed, as: UTF8.self))"
  }
  #expect(first == nil, sourceLocation: place)
  let isWhole = result.isSame && result.comparesJournal && result.damage == nil && !result.endsEarly
  #expect(isWhole, sourceLocation: place)
}
