/// The bounds of a connection. What exceeds one is refused, and the first time is an event (``Bound``).
package struct HTTP2Limits: Hashable, Sendable {
  /// The bytes of a header block that comes in several frames.
  package var headerBlock = 32_768
  /// The CONTINUATION frames of one header block.
  package var continuations = 16
  /// The streams beyond SETTINGS_MAX_CONCURRENT_STREAMS that are answered with RST_STREAM REFUSED_STREAM; off, and
  /// the first one ends the connection, as with Apple.
  package var refusesExcessStreams = true
  /// The streams that may be open whatever was announced.
  package var streams = 4096
  /// The resets, by either side, that a connection may have ahead of the requests that it completes.
  package var resets = 10_000
  /// Frames that do nothing (PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA, unknown ones) that a connection may
  /// have ahead of the requests that it completes.
  package var idleFrames = 10_000
  /// The acknowledgements of PING and SETTINGS that may wait to be written.
  package var acknowledgements = 1_000
  /// The bytes of answers that wait for the peer's windows.
  package var heldAnswers = 1 << 20
  /// The bytes of one request's body: a request whose body is larger is handed over at once, without the rest.
  package var body = 16_384
  /// The bytes of such a body that are read nevertheless: most clients read the answer after it only.
  package var discardedBody = 1 << 20
  /// The bytes of all bodies that came in pieces and wait for more.
  package var bodies = 8 << 20
  /// The connection's window, given with the first bytes that are sent.
  package var connectionWindow = 1 << 20

  package init() {}
}

/// A bound of ``HTTP2Limits`` that was met.
package enum Bound: UInt8, Hashable, Sendable, CaseIterable {
  case headerBlock, continuations, headerList, concurrentStreams, resets, idleFrames, acknowledgements
  case heldAnswers, body, bodies
}

/// The bounds on a peer ahead of the requests that it completes. Each of them gives one back.
struct Budget: BitwiseCopyable {
  let limit: Int
  private(set) var spent = 0

  init(limit: Int) { self.limit = limit }

  /// Takes one; false when there is none.
  mutating func spend() -> Bool {
    spent &+= 1
    return spent <= limit
  }

  @inline(__always)
  mutating func earn() { if spent > 0 { spent &-= 1 } }

  mutating func reset() { spent = 0 }
}
