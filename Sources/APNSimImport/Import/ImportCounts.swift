import APNSimCapture
import APNSimCore
import APNSimWire

/// The counts of an import's connections, by their numbers in the import.
struct ImportCounts {
  var summary = ImportSummary()
  /// The frame counters of the open gateway connections.
  private var frames: [ConnectionID: FrameCount] = [:]
  private var gaps: Set<ConnectionID> = []
  /// The number of bytes of each connection that were imported or are known to be missing, by direction.
  private var positions: [ConnectionID: [CaptureDirection: Int]] = [:]
  /// Open connections of HTTP/2 whose bytes are counted, and those on whose streams something happened without.
  private var counted: Set<ConnectionID> = []
  private var uncounted: Set<ConnectionID> = []
  private var topics: Set<String> = []
  /// The requests that were not answered yet, by connection of HTTP/2.
  private var unanswered: [ConnectionID: Set<UInt32>] = [:]

  /// True for a connection that carries frames.
  func hasFrames(_ id: ConnectionID) -> Bool { frames[id] != nil }

  /// Frames so far, with those of open connections.
  var frameCount: Int { frames.values.reduce(summary.frames) { $0 + $1.frames } }

  mutating func open(_ connection: CapturedConnection, isTopicAssumed: Bool) {
    switch connection.listener {
    case .gateway:
      summary.gatewayConnections += 1
      frames[connection.id] = FrameCount()
    case .feedback: summary.feedbackConnections += 1
    case .device: summary.deviceConnections += 1
    case .http2: summary.requestConnections += 1
    }
    if !connection.provider.topic.isEmpty { topics.insert(connection.provider.topic) }
    if isTopicAssumed { summary.assumedTopic = connection.provider.topic }
  }

  mutating func receive(_ bytes: [UInt8], _ direction: CaptureDirection, on id: ConnectionID) {
    switch direction {
    case .in:
      summary.bytesIn += bytes.count
      frames[id]?.receive(bytes)
    case .out: summary.bytesOut += bytes.count
    }
    advance(id, direction, bytes.count)
  }

  /// Counts bytes of a connection of HTTP/2, whose content is told by streams.
  mutating func pass(_ count: Int, _ direction: CaptureDirection, on id: ConnectionID) {
    if direction == .in { summary.bytesIn += count } else { summary.bytesOut += count }
    counted.insert(id)
    advance(id, direction, count)
  }

  /// Counts missing bytes: 0 where their number is not known.
  /// - Parameter isBeginning: true for the bytes before the capture.
  mutating func lose(
    _ count: Int,
    _ direction: CaptureDirection,
    on id: ConnectionID,
    isBeginning: Bool = false
  ) {
    summary.gaps += 1
    summary.missingBytes.add(saturating: count)
    gaps.insert(id)
    if summary.gapPlaces.count < ImportSummary.mostGapPlaces {
      // A journal has the requests of a connection, not its bytes.
      let offset = uncounted.contains(id) ? nil : positions[id]?[direction] ?? 0
      summary.gapPlaces.append(
        ImportSummary.Gap(
          connection: id,
          direction: direction,
          offset: offset,
          count: count,
          isBeginning: isBeginning
        )
      )
    }
    advance(id, direction, count)
    if direction == .in { frames[id]?.lose() }
  }

  /// Counts what happened on a stream.
  mutating func note(_ happening: StreamHappening, on id: ConnectionID) {
    if !counted.contains(id) { uncounted.insert(id) }
    switch happening {
    case .request(let evidence):
      summary.requests += 1
      guard let stream = CapturedRequest.stream(of: evidence) else { return }
      unanswered[id, default: []].insert(stream)
    case .answered(let answer):
      summary.answers += 1
      if unanswered[id]?.remove(answer.stream) == nil { summary.answersWithoutRequest += 1 }
    case .reset(let stream, _, _): if unanswered[id]?.contains(stream) == true { summary.resetStreams += 1 }
    case .malformed, .goAway: break
    }
  }

  /// A frame begins with the next byte.
  mutating func findFrames(on id: ConnectionID) {
    frames[id]?.find()
    summary.resumed += 1
  }

  mutating func close(_ id: ConnectionID) {
    positions[id] = nil
    counted.remove(id)
    uncounted.remove(id)
    summary.requestsWithoutAnswer += unanswered.removeValue(forKey: id)?.count ?? 0
    guard let count = frames.removeValue(forKey: id) else { return }
    summary.frames += count.frames
    if count.hasTail { summary.unreadableTails += 1 }
  }

  /// Ends the connections that are open.
  mutating func finish() {
    for id in Set(frames.keys).union(unanswered.keys).sorted() { close(id) }
    summary.connectionsWithGaps = gaps.count
    summary.topics = topics.sorted()
  }

  private mutating func advance(_ id: ConnectionID, _ direction: CaptureDirection, _ count: Int) {
    positions[id, default: [:]][direction, default: 0].add(saturating: count)
  }
}

/// Counts the notification frames of one connection's stream, up to a gap or to bytes that are no frame.
struct FrameCount {
  private(set) var frames = 0
  private var rest: [UInt8] = []
  private var isLost = false
  private(set) var isUnreadable = false

  /// True where the stream ends with an incomplete frame.
  var hasTail: Bool { isUnreadable || (!isLost && !rest.isEmpty) }

  /// Stops counting at missing bytes, after which the beginning of the next frame is not known.
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
