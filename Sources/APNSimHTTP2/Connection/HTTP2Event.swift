/// An event of a read; a read has several, in order.
package enum HTTP2Event: Sendable {
  /// A request is complete, or known to be too large.
  case request(HTTP2Request)
  /// The peer gave up a stream. Its request, where it was handed over, needs no answer.
  case streamReset(UInt32, ErrorCode)
  /// A stream was refused, for a header of this name if it was for one; the RST_STREAM stands in the output, or goes there
  /// with ``ServerConnection/release()``.
  case streamRefused(UInt32, ErrorCode, StaticString, header: [UInt8])
  /// A stream was begun after our GOAWAY, or while new streams are ignored. Nothing answers it.
  case streamIgnored(UInt32)
  /// The peer's settings have changed (``ServerConnection/peer``), and are acknowledged.
  case settingsChanged
  /// The peer has acknowledged the oldest of our SETTINGS.
  case settingsAcknowledged
  case pingAcknowledged(UInt64)
  /// The peer takes no further streams: last stream, code, debug data.
  case goAway(UInt32, ErrorCode, debug: [UInt8])
  /// A bound was met for the first time.
  case bound(Bound)
  /// The connection is over; the GOAWAY stands where a RST_STREAM would. Nothing is read any more.
  case failed(ConnectionError)
}

/// A request where it stands in its connection's memory. ``ServerConnection/headers(of:)`` and
/// ``ServerConnection/body(of:in:)`` show it until the connection reads on.
package struct HTTP2Request: Hashable, Sendable, BitwiseCopyable {
  package var stream: UInt32
  /// The name that the first `authorization` was given; 0 where there is none.
  package var credential: UInt32
  /// The header list is larger than was announced; it has the fields that fit.
  package var isHeaderListTooLarge: Bool
  /// The body is larger than ``HTTP2Limits/body``; it has the bytes that came first.
  package var isBodyTooLarge: Bool
  /// The headers whose values have white space at their ends.
  package var whiteSpace: HeaderWhiteSpace

  var headers: HeaderPlace
  /// In the read, where `body` is -1.
  var bodyStart = 0
  var bodyCount = 0
  var body: Int32 = -1
  /// ``ServerConnection/mark`` as it was when the header list came.
  package var mark: UInt32 = 0

  /// The body where it stands in the read, which is passed in once more; nil for one that came in pieces.
  @inline(__always)
  package func body(in read: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    body < 0 ? read.slice(bodyStart, bodyCount) : nil
  }
}
