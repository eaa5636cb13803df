import APNSimCapture
import APNSimCore

/// The searches for frames after missing bytes, by the connections' numbers in their file.
struct FrameSearches {
  private var searches: [ConnectionID: FrameSearch] = [:]

  /// Takes an entry and returns those that are decided: bytes that may begin a frame wait for more, and come out before
  /// the entry that ends the search.
  /// - Parameter hasFrames: returns true for a connection that carries frames.
  mutating func take(
    _ kind: CaptureEntry.Kind,
    hasFrames: (ConnectionID) -> Bool
  ) -> [CaptureEntry.Kind] {
    switch kind {
    case .bytesIn(let id, let more, dropped: 0, notification: nil):
      guard let step = searches[id]?.receive(more) else { return [kind] }
      switch step {
      case .passed(let passed): return Self.bytes(id, passed)
      case .found(let passed, let frames):
        searches[id] = nil
        return Self.bytes(id, passed) + [.framesFound(id)] + Self.bytes(id, frames)
      }
    case .bytesMissing(let id, .in, _):
      let rest = end(id)
      searches[id] = hasFrames(id) ? FrameSearch() : nil
      return rest + [kind]
    case .connectionOpened(let connection): return end(connection.id) + [kind]
    case .bytesIn(let id, _, _, _), .framesFound(let id), .connectionClosed(let id, _, _):
      return end(id) + [kind]
    case .captureEnded: return end() + [kind]
    default: return [kind]
    }
  }

  /// Ends the file and returns the entries that wait.
  mutating func end() -> [CaptureEntry.Kind] { searches.keys.sorted().flatMap { end($0) } }

  private mutating func end(_ id: ConnectionID) -> [CaptureEntry.Kind] {
    Self.bytes(id, searches.removeValue(forKey: id)?.held ?? [])
  }

  private static func bytes(_ id: ConnectionID, _ bytes: [UInt8]) -> [CaptureEntry.Kind] {
    bytes.isEmpty ? [] : [.bytesIn(id, bytes, dropped: 0, notification: nil)]
  }
}
