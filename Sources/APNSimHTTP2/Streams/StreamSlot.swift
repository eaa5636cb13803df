/// A stream that is open or half closed (RFC 9113 section 5.1).
struct StreamSlot: BitwiseCopyable {
  /// 0 in a free place.
  var id: UInt32
  /// The name that `authorization` was given.
  var credential: UInt32 = 0
  /// The header list, in the connection's memory of them.
  var headers = HeaderPlace()
  /// -1 where the request has no content-length.
  var contentLength = -1
  /// The bytes of DATA so far, without padding.
  var received = 0
  /// The part that the peer has used of its window on this stream, less what it was given back. Counted from 0, so that a
  /// new SETTINGS_INITIAL_WINDOW_SIZE moves all streams at once.
  var receiveUsed = 0
  /// The same of our window.
  var sendUsed = 0
  /// The place where a body that came in several pieces is collected; -1 where there is none.
  var body: Int32 = -1
  /// The owner's mark when the header list came.
  var mark: UInt32 = 0
  /// The peer has sent END_STREAM.
  var isRemoteClosed = false
  /// We have sent END_STREAM.
  var isLocalClosed = false
  /// The request has been handed over: whole, or as soon as it was known to be too large.
  var isDelivered = false
  var isListTooLarge = false
  var isGet = false
  var whiteSpace = HeaderWhiteSpace()
  /// The answer has begun.
  var hasAnswer = false

  init(id: UInt32) { self.id = id }
}
