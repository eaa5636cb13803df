package import APNSimCore
import DequeModule

/// The entries of a capture for a replay of its HTTP/2 connections: some lines ahead are read, so that a stream opens
/// before those with higher numbers, though its request ended after theirs.
package struct LookAhead {
  /// An entry with what its line says beside it.
  package struct Item: Sendable {
    package var entry: CaptureEntry
    /// The wall time at which the line was written.
    package var wall: Timestamp
    /// The topic of a notification whose connection the capture does not begin.
    package var topic: String?
    /// The answer that the line of a request has.
    package var answer: CapturedAnswer?
    /// The frame that the line of a fault tells of.
    package var fault: (connection: ConnectionID, frame: StreamHappening)?
    /// The connection that an operator ended.
    package var ended: ConnectionID?
    /// True for the header list of a request whose end is a later item.
    package var isOpening = false

    /// The connection and the evidence of a request.
    package var request: (connection: ConnectionID, evidence: [UInt8])? {
      switch entry.kind {
      case .stream(let id, .request(let evidence)): (id, evidence)
      case .bytesIn(let id, let evidence, _, .some) where answer != nil: (id, evidence)
      default: nil
      }
    }
  }

  private let reader: CaptureReader
  private var items: Deque<Item> = []
  private var byteCount = 0
  private var wall = CapturedWallTime()
  private var isAtEnd = false
  private var begun = ConnectionNumbers()
  /// The highest stream so far of each open HTTP/2 connection.
  private var streams: [ConnectionID: UInt32] = [:]
  /// Streams that opened after higher ones, because the lines between were too many to look ahead.
  package private(set) var lateStreams = 0

  /// The lines that are read ahead where there is a connection of requests, and their bytes.
  private static let most = 512
  private static let mostBytes = 8 << 20

  package init(_ reader: CaptureReader) { self.reader = reader }

  /// The next entry; nil after the last.
  package mutating func next() -> Item? {
    while !isAtEnd, items.count <= (streams.isEmpty ? 0 : Self.most), byteCount < Self.mostBytes { read() }
    guard let item = items.popFirst() else { return nil }
    byteCount -= Self.size(item.entry)
    return item
  }

  private mutating func read() {
    guard let entry = reader.next() else {
      isAtEnd = true
      return
    }
    var item = Item(entry: entry, wall: wall.time(of: entry, in: reader))
    switch entry.kind {
    case .connectionOpened(let connection):
      begun.insert(connection.id)
      if connection.listener == .http2 { streams[connection.id] = 0 }
    case .connectionClosed(let id, _, _): streams[id] = nil
    case .bytesIn(let id, _, _, .some):
      if streams[id] != nil { item.answer = reader.answer }
      if !begun.contains(id) {
        item.topic = reader.topic
        item.answer = reader.answer
        begun.insert(id)
        if item.answer != nil { streams[id] = 0 }
      }
    case .other("faultFired"): item.fault = reader.faultFrame
    case .other("shutdown"):
      item.ended = reader.withLine { fields, _ in fields.string("connection").flatMap { ConnectionID($0) } }
    default: break
    }
    order(&item)
    items.append(item)
    byteCount += Self.size(entry)
  }

  /// Has the stream of a request open where the capture shows that it was open.
  private mutating func order(_ item: inout Item) {
    guard let (id, evidence) = item.request, let stream = CapturedRequest.stream(of: evidence),
      let highest = streams[id]
    else { return }
    streams[id] = max(highest, stream)
    let openFor = evidence.withUnsafeBytes { RequestEvidence($0)?.openFor ?? 0 }
    let opened = item.wall + .milliseconds(-Int64(openFor))
    guard stream < highest || openFor > 0 else { return }
    let begin = items.lastIndex { other in
      if case .connectionOpened(let connection) = other.entry.kind { connection.id == id } else { false }
    }
    let place = items[(begin.map { $0 + 1 } ?? 0)...].firstIndex { other in
      if openFor > 0, other.wall > opened { return true }
      guard let request = other.request, request.connection == id else { return false }
      return CapturedRequest.stream(of: request.evidence) ?? 0 > stream
    }
    guard let place else {
      if stream < highest { lateStreams += 1 }
      return
    }
    var opening = item
    opening.isOpening = true
    opening.wall = max(opened, place > 0 ? items[place - 1].wall : opened)
    if openFor == 0 { opening.wall = items[place].wall }
    items.insert(opening, at: place)
    byteCount += Self.size(item.entry)
  }

  private static func size(_ entry: CaptureEntry) -> Int {
    switch entry.kind {
    case .bytesIn(_, let bytes, _, _), .bytesOut(_, let bytes), .stream(_, .request(let bytes)):
      bytes.count + 64
    default: 64
    }
  }
}
