/// The server's side of an HTTP/2 connection (RFC 9113), on raw bytes: reads in, events and bytes to send out.
///
/// It knows no socket, clock or lock. Whoever has a connection
/// 1. calls ``start()`` and sends ``output``,
/// 2. calls ``receive(_:finding:)`` with each read and goes through ``events``, whose requests stand in its memory until
///    it is called again,
/// 3. answers with ``respond(to:status:apnsID:body:)`` or in parts, now or later,
/// 4. calls ``release()``, passes in what of the read was not read yet, and sends ``output``,
/// 5. calls ``noteFlushed()`` when all that was sent has left.
///
/// Events and answers do not depend on how the bytes were cut: a frame that could have to do with a request before it is
/// read when that one had its answer. ``output`` may be written by anybody: whatever a fault asks for goes out as it is,
/// while decoding goes on.
package struct ServerConnection: ~Copyable {
  package let limits: HTTP2Limits
  /// The events of the last read.
  package internal(set) var events: [HTTP2Event] = []
  /// The number of them in the last read that had many: memory for them is asked for once.
  var usualEvents = 0
  /// The bytes to be sent. Whoever sends them calls `removeAll()`.
  package var output = GrowingBytes()
  /// The bytes of an error after a request of the same read: they go out after the answer.
  var deferred = GrowingBytes()
  /// True while a read goes on that has handed a request over.
  var handsOver = false
  /// True where a stream was reset after a request of the same read.
  var isResetUncounted = false
  /// True where the last request of a read has no header list to be judged by.
  var isListTooLarge = false
  /// True where the last request of a read may have a long answer.
  var mayBeLong = false
  /// The peer's settings.
  package internal(set) var peer = Settings()
  /// Our settings, as far as the peer has acknowledged them.
  package internal(set) var own = Settings()

  /// Whether PING is answered.
  package var answersPings = true
  /// Whether SETTINGS are acknowledged.
  package var acknowledgesSettings = true
  /// Whether the connection's window is given back as bytes arrive.
  package var returnsWindow = true
  /// Whether white space at the ends of values of `authorization` and `apns-…` is taken; in others it is malformed.
  package var takesWhiteSpace = false
  /// Whether an error writes its GOAWAY.
  package var writesGoAway = true
  /// The fate of streams that the peer begins.
  package var newStreams = NewStreams.accepted
  /// The last stream that is answered: those above are ignored. Our GOAWAY sets it.
  package var lastStream: UInt32 = 0x7FFF_FFFF

  /// A number of the owner's, such as a time: a request has that of its header list.
  package var mark: UInt32 = 0

  /// The fate of streams that the peer begins. Their header blocks are decoded in any case.
  package enum NewStreams: Hashable, Sendable {
    case accepted, ignored
    /// RST_STREAM REFUSED_STREAM.
    case refused
  }

  enum Phase {
    /// The preface, of which a number of bytes has come.
    case preface(Int)
    /// The preface has come; SETTINGS must be the first frame.
    case first
    case open
    /// Something else than the preface came: its first line is waited for.
    case foreign
    case over
  }

  var phase = Phase.preface(0)
  var decoder: HPACKDecoder
  var streams = StreamTable()
  var closed = ClosedStreams()
  /// The beginning of a frame that is not whole.
  var tail = GrowingBytes()
  /// The header block that comes in several frames, and its HEADERS frame.
  var block = GrowingBytes()
  var blockHeader: FrameHeader?
  var continuations = 0
  /// The header lists of streams that are open, and of the requests of this read.
  var lists = HeaderLists()
  var openListBytes = 0
  var bodies = BodyPool()
  /// Our SETTINGS that the peer has not acknowledged.
  var pending: [Settings] = []
  var announced = Settings()
  var sendWindow = 65_535
  /// The window that the peer has on the connection.
  var receiveWindow = 65_535
  /// The bytes that have arrived and were not given back.
  var unreturned = 0
  var held: [HeldBody] = []
  var heldBytes = 0
  var acknowledgements = 0
  var resets: Budget
  var idleFrames: Budget
  private var met: UInt16 = 0

  /// - Parameter headerListSize: SETTINGS_MAX_HEADER_LIST_SIZE as ``start()`` announces it, in bytes.
  package init(
    limits: HTTP2Limits = HTTP2Limits(),
    maximumConcurrentStreams: UInt32 = 1000,
    headerListSize: UInt32 = 8000
  ) {
    self.limits = limits
    resets = Budget(limit: limits.resets)
    idleFrames = Budget(limit: limits.idleFrames)
    // The text of a list has room for lengths of two bytes.
    decoder = HPACKDecoder(maximumListSize: Int(min(headerListSize, 0xFFFF)))
    announced.maximumConcurrentStreams = maximumConcurrentStreams
    announced.maximumHeaderListSize = headerListSize
  }

  /// The connection is over, by an error of the peer's.
  package var isOver: Bool {
    if case .over = phase { true } else { false }
  }

  /// The bytes of requests that the peer has not finished.
  package var unfinishedBytes: Int { tail.count &+ block.count &+ openListBytes &+ bodies.byteCount }

  /// The bytes of answers that wait for the peer's windows.
  package var heldAnswerBytes: Int { heldBytes }

  /// The number of streams that are open or half closed.
  package var openStreams: Int { streams.count }

  /// The streams that are open or half closed, in ascending order.
  package var openStreamIdentifiers: [UInt32] { streams.identifiers }

  /// The highest stream whose request was handed over: nothing came of those above it (RFC 9113 section 6.8).
  package internal(set) var highestRequest: UInt32 = 0

  /// The header list of a request of the last read.
  @inline(__always)
  package func headers(of request: HTTP2Request) -> HeaderList { lists[request.headers] }

  /// The same for whoever has the connection to change it: to be read by another module, all of it is copied.
  package mutating func headersInPlace(of request: HTTP2Request) -> HeaderList { lists[request.headers] }

  /// The bytes that the header lists of open streams and of this read's requests take.
  package var headerBytes: Int { lists.byteCount }

  /// The body of a request of the last read, which is passed in once more: most bodies stand in it.
  @inline(__always)
  package func body<Result>(
    of request: HTTP2Request,
    in read: UnsafeRawBufferPointer,
    _ use: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    if let body = request.body(in: read) { return try use(body) }
    return try bodies[request.body].withUnsafeBytes(use)
  }

  /// Everything that was sent has left: acknowledgements are counted from 0 again, and a connection without open
  /// streams gives back what a burst has needed.
  package mutating func noteFlushed() {
    acknowledgements = 0
    guard streams.count == 0 else { return }
    streams.shrink()
    output.shrink(to: Self.mostKept)
    lists.removeAll()
    lists.shrink(to: Self.mostKept)
    openListBytes = 0
    if events.capacity > Self.mostKeptEvents { (usualEvents, events) = (events.count, []) }
  }

  /// The room that an idle connection keeps for output and header lists, in bytes, and for events.
  private static var mostKept: Int { 2048 }
  private static var mostKeptEvents: Int { 16 }

  /// Gives the budgets of resets and of idle frames back; for whoever has a clock, now and then.
  package mutating func renewBudgets() {
    resets.reset()
    idleFrames.reset()
  }

  /// Tells of a bound, once.
  mutating func meet(_ bound: Bound) {
    let bit: UInt16 = 1 << UInt16(bound.rawValue)
    guard met & bit == 0 else { return }
    met |= bit
    events.append(.bound(bound))
  }

  /// Ends the connection (RFC 9113 section 5.4.1).
  @inline(never)
  mutating func fail(_ error: ConnectionError) {
    guard !isOver else { return }
    phase = .over
    if writesGoAway {
      let debug = Array(error.reason.utf8)
      let lastStream = highestRequest
      say { $0.appendGoAway(lastStream: lastStream, error.code, debug: debug) }
    }
    events.append(.failed(error))
  }

  /// Writes what an error sends: after a request of the same read it waits for the answer.
  @inline(__always)
  mutating func say(_ write: (inout GrowingBytes) -> Void) {
    if handsOver { write(&deferred) } else { write(&output) }
  }

  /// Ends the connection: there is no room for what its peer makes all connections hold.
  package mutating func endForWantOfRoom() {
    fail(ConnectionError(.enhanceYourCalm, "no room for unfinished requests and unread answers"))
  }

  /// Ends the connection at a bound.
  mutating func fail(_ bound: Bound, _ reason: StaticString) {
    meet(bound)
    fail(ConnectionError(.enhanceYourCalm, reason.description))
  }

  /// A frame that moves nothing on.
  @inline(__always)
  mutating func countIdleFrame() {
    if !idleFrames.spend() { fail(.idleFrames, "too many frames that do nothing") }
  }

  mutating func countReset() {
    // After a request of the same read, its answer is counted first.
    guard !handsOver else { return isResetUncounted = true }
    if !resets.spend() { fail(.resets, "too many streams were reset") }
  }
}
