package import APNSimCapture
package import APNSimCore
import APNSimWire

/// Writes a native capture as a pcapng file that Wireshark opens: the plaintext of its connections, as the TCP packets
/// that could have carried it.
///
/// Handshakes, acknowledgements and endings are synthesized; bytes and times are the capture's. What the capture does
/// not have is left out: there is no handshake where it begins inside a connection, a gap is a hole in the sequence
/// numbers (or at the end a packet without its data), and a service that the capture does not show sends nothing,
/// because its acknowledgements would make its silence an answer. A connection that the capture does not open is there
/// from its first notification on, which begins with a frame.
package struct CaptureExport {
  package private(set) var connections = 0
  /// The numbers of the connections that were written.
  package private(set) var bytes = 0

  /// True where a simulator recorded the capture: it knows everything that went to the providers.
  private let isRecording: Bool
  private var file: PcapngWriter
  private var open: [ConnectionID: ExportedConnection] = [:]
  /// The connection that the last entry opened. The next entry may say that the capture began inside it.
  private var newest: Opening?
  private var closed = ConnectionNumbers()
  /// The open connections of requests.
  private var requesters: Set<ConnectionID> = []
  /// The answers that left later than their requests' lines say them, by notification.
  private var late: [UInt64: CapturedAnswer] = [:]
  private static let mostLate = 100_000
  private var taken: Set<[NetworkEndpoint]> = []
  private var openBefore = 0
  private var leftOut = LeftOutLines()
  /// Bytes of bodies that were made up, and the requests whose bodies were not any more.
  private var madeUp = 0
  private var cutBodies = 0
  private static let mostMadeUp = 16 << 20
  /// The time of the latest entry.
  private var time = Timestamp(rawValue: 0)

  private struct Opening {
    let id: ConnectionID
    let time: Timestamp
    var isInside = false
  }

  /// - Parameters:
  ///   - application: the program's name and version.
  ///   - comment: the origin of the file.
  ///   - isRecording: true where a simulator recorded the capture.
  package init(application: String, comment: String, isRecording: Bool) {
    self.isRecording = isRecording
    file = PcapngWriter(application: application, comment: comment)
  }

  package var packets: Int { file.packets }

  /// The number of bytes that wait to be taken.
  package var pendingByteCount: Int { file.bytes.count }

  package mutating func takeBytes() -> [UInt8] { file.takeBytes() }

  /// Ends the capture.
  package mutating func finish() {
    openNewest()
    for id in open.keys.sorted() { open[id]?.end(at: time, to: &file) }
  }

  /// Notes for the reader, a line each.
  package var notes: [String] {
    let zeros =
      madeUp == 0
      ? nil : "\(Number.counted(madeUp, "byte")) of bodies are not in the capture and made up with zeros"
    let cut =
      cutBodies == 0
      ? nil
      : "\(Number.counted(cutBodies, "request")) with no more of the body than the capture has: "
        + "at most \(Self.mostMadeUp >> 20) MiB are made up"
    return [LeftOutLines.text(openBefore: openBefore), leftOut.text, zeros, cut].compactMap { $0 }
  }

  /// Takes the next entry of the capture.
  /// - Parameters:
  ///   - topic: the line's topic, for connections that the capture does not open.
  ///   - answer: the answer that the line of a request has.
  ///   - fault: the frame that the line of a fault tells of.
  package mutating func add(
    _ entry: CaptureEntry,
    topic: @autoclosure () -> String? = nil,
    answer: @autoclosure () -> CapturedAnswer? = nil,
    fault: @autoclosure () -> (ConnectionID, StreamHappening)? = nil
  ) {
    time = max(time, entry.time)
    if let newest, entry.isBeginningMissing(of: newest.id, openedAt: newest.time) {
      self.newest?.isInside = true
      return
    }
    openNewest()
    switch entry.kind {
    case .connectionOpened(let connection):
      begin(connection)
      newest = Opening(id: connection.id, time: entry.time)
    case .bytesIn(let id, let evidence, _, .some(let facts)) where facts.answer != nil:
      if open[id] == nil, !closed.contains(id) { begin(id, nil, .http2) }
      send(request: evidence, on: id, at: entry.time)
      guard let answer = answer() else { return }
      if answer.isLater {
        if late.count < Self.mostLate { late[facts.number] = answer }
      } else {
        send(ExportedRequests.answer(answer), from: .service, on: id, at: entry.time)
      }
    case .bytesIn(let id, let data, let dropped, let notification):
      if notification != nil, open[id] == nil, !closed.contains(id) { begin(id, topic(), .gateway) }
      guard takes(data.count, of: id) else { return }
      open[id]?.send(data, from: .provider, at: entry.time, to: &file)
      if dropped > 0 { open[id]?.miss(dropped, from: .provider) }
    case .bytesOut(let id, let data):
      guard takes(data.count, of: id) else { return }
      open[id]?.send(data, from: .service, at: entry.time, to: &file)
    case .bytesMissing(let id, let direction, let count):
      guard takes(0, of: id) else { return }
      open[id]?.miss(count, from: direction == .in ? .provider : .service)
    case .connectionClosed(let id, let reason, let byService):
      closed.insert(id)
      requesters.remove(id)
      guard var connection = open.removeValue(forKey: id) else { return }
      connection.close(reason, byService: byService, at: entry.time, to: &file)
      taken.remove(connection.ends)
    case .stream(let id, let happening): add(happening, on: id, at: entry.time)
    case .other("faultFired"):
      if let (id, frame) = fault() { add(frame, on: id, at: entry.time) }
    case .command, .inputEnded, .framesFound, .captureEnded, .other: return
    }
  }

  /// Takes what happened on the streams of a connection.
  private mutating func add(_ happening: StreamHappening, on id: ConnectionID, at time: Timestamp) {
    switch happening {
    case .request(let evidence): send(request: evidence, on: id, at: time)
    case .answered(let answer):
      let late = answer.notification == nil ? answer : late.removeValue(forKey: answer.notification ?? 0)
      if let late { send(ExportedRequests.answer(late), from: .service, on: id, at: time) }
    case .reset(let stream, let code, let byService):
      let side: StreamEvent.Side = byService ? .service : .provider
      send(ExportedRequests.reset(stream, code: code), from: side, on: id, at: time)
    case .malformed: return
    case .goAway(let notice): send(ExportedRequests.goAway(notice), from: .service, on: id, at: time)
    }
  }

  /// Sends a request. A body that the capture does not have is made up with zeros, as long as there are not too many.
  private mutating func send(request evidence: [UInt8], on id: ConnectionID, at time: Timestamp) {
    guard var request = CapturedRequest(evidence: evidence) else { return }
    if request.madeUp > Self.mostMadeUp - madeUp {
      request.dropMadeUp()
      cutBodies += 1
    }
    madeUp += request.madeUp
    send(ExportedRequests.request(request), from: .provider, on: id, at: time)
  }

  private mutating func send(
    _ bytes: [UInt8]?,
    from side: StreamEvent.Side,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    guard let bytes, takes(bytes.count, of: id) else { return }
    open[id]?.send(bytes, from: side, at: time, to: &file)
  }

  private mutating func openNewest() {
    guard let newest else { return }
    self.newest = nil
    if newest.isInside {
      open[newest.id]?.openInside()
    } else {
      open[newest.id]?.open(at: newest.time, to: &file)
      guard requesters.contains(newest.id) else { return }
      for (side, bytes) in ExportedRequests.opening {
        send(bytes, from: side, on: newest.id, at: newest.time)
      }
    }
  }

  private mutating func begin(_ connection: CapturedConnection) {
    connections += 1
    // Further entries of this number belong to the new connection.
    if var known = open.removeValue(forKey: connection.id) {
      known.end(at: time, to: &file)
      taken.remove(known.ends)
    }
    let (provider, service) = ends(of: connection)
    taken.insert([provider, service])
    if connection.listener == .http2 {
      requesters.insert(connection.id)
    } else {
      requesters.remove(connection.id)
    }
    open[connection.id] = ExportedConnection(
      connection,
      number: UInt32(truncatingIfNeeded: connections),
      provider: provider,
      service: service,
      isServiceSeen: isRecording || connection.areAnswersSeen
    )
  }

  /// A connection that was open before the capture began.
  private mutating func begin(_ id: ConnectionID, _ topic: String?, _ listener: Listener) {
    openBefore += 1
    let provider = ProviderIdentity(topics: topic.map { [$0] } ?? [], environment: .production, subject: "")
    begin(CapturedConnection(id: id, listener: listener, peer: "", provider: provider))
    open[id]?.openInside()
  }

  /// Counts bytes that are written, or left out.
  private mutating func takes(_ count: Int, of id: ConnectionID) -> Bool {
    guard open[id] != nil else {
      leftOut.add(id, bytes: count)
      return false
    }
    bytes += count
    return true
  }

  /// The captured address of the provider, unless it has none or another open connection has the same; else one of
  /// 10.0.0.0/8 with the connection's number. The service has its usual port, at an address of the same kind.
  private func ends(of connection: CapturedConnection) -> (NetworkEndpoint, NetworkEndpoint) {
    let port = Self.port(connection)
    if let provider = NetworkEndpoint(connection.peer) {
      let service = Self.service(for: provider, port)
      if !taken.contains([provider, service]) { return (provider, service) }
    }
    // The address of another connection may equal the one made from this one's number.
    var number = connection.id.rawValue
    while true {
      let made = NetworkEndpoint(
        ipv4: 0x0A00_0000 | number & 0x00FF_FFFF,
        port: 49_152 + UInt16(truncatingIfNeeded: number >> 24)
      )
      let service = Self.service(for: made, port)
      if !taken.contains([made, service]) { return (made, service) }
      number &+= 1
    }
  }

  private static func port(_ connection: CapturedConnection) -> UInt16 {
    connection.listener.usualPort(in: connection.provider.environment)
  }

  /// Loopback for loopback; otherwise an address for documentation (RFC 5737, RFC 3849).
  private static func service(for provider: NetworkEndpoint, _ port: UInt16) -> NetworkEndpoint {
    if provider.isLoopback { return NetworkEndpoint(high: provider.high, low: provider.low, port: port) }
    return provider.isIPv4
      ? NetworkEndpoint(ipv4: 0xC000_0201, port: port)
      : NetworkEndpoint(high: 0x2001_0DB8_0000_0000, low: 1, port: port)
  }
}
