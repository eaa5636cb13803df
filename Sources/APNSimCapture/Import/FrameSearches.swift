internal import APNSimCore

/// Where frames are looked for behind bytes that are missing, by the numbers that the connections have in their file.
struct FrameSearches {
  private var searches: [ConnectionID: FrameSearch] = [:]

  /// What an entry comes to: bytes that may begin a frame wait for more, and come out before what ends the search.
  /// - Parameter hasFrames: whether a connection is one to look for frames on.
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

  /// Nothing follows in the file: what waits comes out.
  mutating func end() -> [CaptureEntry.Kind] { searches.keys.sorted().flatMap { end($0) } }

  private mutating func end(_ id: ConnectionID) -> [CaptureEntry.Kind] {
    Self.bytes(id, searches.removeValue(forKey: id)?.held ?? [])
  }

  private static func bytes(_ id: ConnectionID, _ bytes: [UInt8]) -> [CaptureEntry.Kind] {
    bytes.isEmpty ? [] : [.bytesIn(id, bytes, dropped: 0, notification: nil)]
  }
}
