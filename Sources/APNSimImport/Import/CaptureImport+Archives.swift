import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimWire

/// HTTP archives (HAR 1.2), as mitmproxy, Charles and browsers write them.
///
/// An archive has no streams and perhaps no connections: requests to one host without a connection are taken for one, and
/// streams are numbered in the order in which their requests began.
extension CaptureImport {
  private static let archiveLimit = 128 << 20

  mutating func archive(_ input: CaptureInput) throws {
    let text = try input.takeAll(limit: Self.archiveLimit)
    let root: JSONValue
    do {
      root = try JSONValue.parse(ByteOrderMark.utf8(of: text) ?? Array(ByteOrderMark.removed(from: text)))
    } catch {
      throw ImportError(file: input.name, "is no HTTP archive: \(error)")
    }
    guard let log = root.member("log"), let entries = log.member("entries")?.arrayValue else {
      throw ImportError(file: input.name, #"expected an HTTP archive, {"log":{"entries":[…]}}"#)
    }
    var found = Archive()
    for (place, entry) in entries.enumerated() {
      do throws(ArchivedExchange.Other) {
        found.exchanges.append(try ArchivedExchange(entry))
      } catch {
        switch error {
        case .damaged(let expected): found.damaged[expected, default: []].append(place + 1)
        case .foreign(let host): found.foreign[host, default: 0] += 1
        }
      }
    }
    guard !found.exchanges.isEmpty else {
      throw ImportError(
        .unusable,
        file: input.name,
        "has no request to APNs in \(Archive.entries(entries.count))",
        hints: ["paths that begin with /3/device, /4/broadcasts/ or /1/apps/ are looked for"]
      )
    }
    try emit(found)
    let notes = found.notes.map { "\(Self.name(input.name)): \($0)" }
    target.change { $0.notes += notes }
  }

  private mutating func emit(_ archive: Archive) throws {
    var connections: [String: ConnectionID] = [:]
    var streams: [ConnectionID: UInt32] = [:]
    var events: [CaptureEntry] = []
    let tokens = TokenReading()
    let begun = archive.exchanges.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    for exchange in begun.map(\.element) {
      let key = "\(exchange.connection ?? "") \(exchange.authority)"
      let id: ConnectionID
      if let known = connections[key] {
        id = known
      } else {
        id = ConnectionID(rawValue: UInt32(connections.count + 1))
        connections[key] = id
        events.append(CaptureEntry(time: exchange.start, kind: .connectionOpened(opening(exchange, id))))
      }
      let stream = streams[id].map { $0 &+ 2 } ?? 1
      streams[id] = stream
      let request = ProviderRequest(
        stream: stream,
        headers: exchange.fields,
        body: exchange.body,
        bodyByteCount: exchange.bodyCount,
        authorization: exchange.lacksAuthorization
          ? tokens.leftOut(exchange.answer, at: exchange.start)
          : tokens.authorization(exchange.authorization, at: exchange.start)
      )
      events.append(CaptureEntry(time: exchange.start, kind: .stream(id, .request(request.bytes))))
      guard var answer = exchange.answer else { continue }
      answer.stream = stream
      events.append(CaptureEntry(time: exchange.end, kind: .stream(id, .answered(answer))))
    }
    // Answers stand where they came; those of one moment keep their order.
    let ordered = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    for event in ordered { try target.receive(event.element) }
    if let end = ordered.last?.element.time { try target.end(at: end) }
  }

  private func opening(_ exchange: ArchivedExchange, _ id: ConnectionID) -> CapturedConnection {
    let environment = options.environment ?? exchange.environment
    let provider = ProviderIdentity(topics: [], environment: environment, subject: "")
    var connection = CapturedConnection(id: id, listener: .http2, peer: "", provider: provider)
    // An archive has an answer to each request, or that there was none.
    connection.areAnswersSeen = true
    return connection
  }
}

/// The findings in an HTTP archive.
private struct Archive {
  var exchanges: [ArchivedExchange] = []
  /// Requests to others, by host, and the numbers of entries that lack something, from 1, by what was expected.
  var foreign: [String: Int] = [:]
  var damaged: [String: [Int]] = [:]

  private static let mostHosts = 5
  private static let mostPlaces = 5

  static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

  var notes: [String] {
    var notes: [String] = []
    let others = foreign.values.reduce(0, +)
    if others > 0 {
      let hosts = foreign.keys.sorted()
      let more = hosts.count > Self.mostHosts ? " and others" : ""
      let names = hosts.prefix(Self.mostHosts).joined(separator: ", ") + more
      notes.append("\(others.counted("request")) to other services left out (\(names))")
    }
    for (expected, places) in damaged.sorted(by: { $0.key < $1.key }) {
      let more = places.count > Self.mostPlaces ? ", …" : ""
      let numbers = places.prefix(Self.mostPlaces).map(String.init).joined(separator: ", ") + more
      let what = places.count == 1 ? "entry \(numbers)" : "\(places.count) entries (\(numbers))"
      notes.append("\(what) left out: \(expected) was expected")
    }
    if exchanges.contains(where: { $0.connection == nil }) {
      notes.append("connections are not named: requests to one host are taken for one connection")
    }
    let old = exchanges.count { $0.isOldVersion }
    if old > 0 { notes.append("\(old.counted("request")) went over HTTP/1 where the archive was written") }
    let lacking = exchanges.count(where: \.lacksAuthorization)
    if lacking > 0 {
      notes.append(
        "\(lacking.counted("request")) without a provider token, which whoever wrote the archive left out, or the "
          + "provider had a certificate: a replay takes it as the answer says, and as good where that says nothing"
      )
    }
    let bodiless = exchanges.count { $0.body.count < $0.bodyCount }
    if bodiless > 0 {
      notes.append("\(bodiless.counted("request")) without the whole body, which is made up with zeros")
    }
    return notes
  }
}
