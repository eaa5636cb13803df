import APNSimWire

/// Counts the notification frames of one connection's stream as it comes, up to a gap or to what is no frame.
struct FrameCount {
  private(set) var frames = 0
  private var rest: [UInt8] = []
  private var isLost = false
  private(set) var isUnreadable = false

  /// Something is left over that is no whole frame.
  var hasTail: Bool { isUnreadable || (!isLost && !rest.isEmpty) }

  /// Bytes are missing here: where the next frame begins can no longer be known.
  mutating func lose() {
    isLost = true
    rest = []
  }

  /// A frame begins with the next byte.
  mutating func find() { (isLost, isUnreadable, rest) = (false, false, []) }

  mutating func receive(_ bytes: some Collection<UInt8>) {
    guard !isLost, !isUnreadable else { return }
    rest += bytes
    var offset = 0
    rest.withUnsafeBytes { buffer in
      while let frame = FrameDecoder.next(in: buffer, from: offset, mode: .reading) {
        guard frame.hasEnd else {
          isUnreadable = true
          break
        }
        frames += 1
        offset = frame.end
      }
    }
    if isUnreadable { rest = [] } else { rest.removeFirst(offset) }
  }
}
