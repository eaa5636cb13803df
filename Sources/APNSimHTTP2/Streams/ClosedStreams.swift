/// The memory of streams that are closed: identifiers rise, so the highest says most of it.
struct ClosedStreams: BitwiseCopyable {
  /// The highest identifier that the peer has used.
  private(set) var highest: UInt32 = 0
  /// The identifiers, of the 64 up to the highest, that were passed over; the highest in bit 0.
  private var skipped: UInt64 = 0
  /// Streams that we reset lately: what the peer had sent by then is ignored (RFC 9113 section 5.4.2).
  private var reset = SIMD32<UInt32>(repeating: 0)
  private var nextReset = 0

  /// Opens an identifier above the highest.
  @inline(__always)
  mutating func open(_ id: UInt32) {
    let steps = UInt64((id &- highest &+ 1) >> 1)
    skipped = steps >= 64 ? ~1 : skipped << steps | ((1 << steps) &- 1) & ~1
    highest = id
  }

  /// An identifier up to the highest that was never used, as far as that is remembered.
  func isSkipped(_ id: UInt32) -> Bool {
    let distance = (highest &- id) >> 1
    return distance < 64 && skipped & 1 << UInt64(distance) != 0
  }

  mutating func noteReset(_ id: UInt32) {
    reset[nextReset] = id
    nextReset = (nextReset &+ 1) & 31
  }

  func wasReset(_ id: UInt32) -> Bool { any(reset .== id) }
}
