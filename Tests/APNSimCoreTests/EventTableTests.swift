import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `The table of events` {
  @Test func `every name of a line is known, and every known name is one of a line`() {
    let written = Set(EventSamples.all.map(\.name)).union(Outcome.allCases.map(\.description))
    #expect(written.union(Event.importedNames).union(["notification"]) == Event.names)
  }

  @Test func `every key of a line is known, and every known key is one of a line`() throws {
    var written = Set(["seq", "time", "event"])
    for event in EventSamples.all {
      var writer = JSONWriter()
      writer.beginObject()
      event.writeMembers(to: &writer)
      writer.endObject()
      let keys = try Self.keys(of: String(decoding: writer.bytes, as: UTF8.self))
      #expect(keys.isSubset(of: Event.keys), "\(event.name)")
      written.formUnion(keys)
    }
    for line in try Self.notificationLines() { written.formUnion(try Self.keys(of: line)) }
    // The rest is said by imported captures alone.
    #expect(
      Event.keys.subtracting(written)
        == ["answersSeen", "direction", "answerWaits", "opened"]
    )
    #expect(written.isSubset(of: Event.keys))
  }

  @Test func `the schema knows no event and no key that is not in the table`() throws {
    let schema = try JSONValue.parse(Array(Fixtures.data("schemas/journal-1.json")))
    let event = try #require(schema["$defs.event"])
    var keys = Self.keys(event["properties"])
    let rules = try #require(event["allOf"]?.arrayValue)
    for rule in rules {
      let name = rule["if.properties.event"]
      let names = [name?["const"]].compactMap(\.self) + (name?["enum"]?.arrayValue ?? [])
      #expect(!names.isEmpty)
      for case .string(let name) in names { #expect(Event.names.contains(name), "\(name)") }
      keys.formUnion(Self.keys(rule["then.properties"]))
      for case .string(let key) in rule["then.required"]?.arrayValue ?? [] { keys.insert(key) }
    }
    #expect(keys.isSubset(of: Event.keys))
    #expect(keys.isSuperset(of: ["seq", "time", "event", "outcome", "reason", "do"]))
  }

  /// Notifications that were decided in every way: by a rule, by their tokens, by a check, by a newer one.
  private static func notificationLines() throws -> [String] {
    let simulator = try Samples.simulator(clock: .real)
    let journal = MemoryJournal(simulator)
    var third = RuleMatch()
    third.nth = .equals(.number("3"))
    try simulator.perform(.addRule(Rule(when: third, action: .proceed)))
    let provider = try CoreProvider(samples: simulator)
    let magic = MagicToken(kind: .refuse, code: 8).token()
    provider.send(
      Samples.frame(1, to: Samples.offline) + Samples.frame(2, to: Samples.offline) + Samples.frame(3)
        + Samples.frame(4, to: magic)
    )
    try CoreProvider(samples: simulator).send(Samples.frame(5, to: [1, 2, 3]))
    let requests = try CoreRequester(simulator)
    requests.send(requests.request(headers: [("apns-push-type", "alert"), ("apns-collapse-id", "x")]))
    return journal.text.split(separator: "\n").map(String.init).filter {
      $0.contains(#""event":"notification""#)
    }
  }

  private static func keys(of line: String) throws -> Set<String> {
    keys(try JSONValue.parse(Array(line.utf8)))
  }

  private static func keys(_ value: JSONValue?) -> Set<String> {
    guard case .object(let members)? = value else { return [] }
    return Set(members.map(\.key))
  }
}

/// One of each event, with everything its line can have.
private enum EventSamples {
  static let all: [Event] = {
    var events = [first]
    while let last = events.last, let next = sample(after: last) { events.append(next) }
    return events + [
      .outcome(.expired, notification: 2, device: label, app: app, detail: 1),
      .connectionTurnedAway(.gateway, opening, reason: "churn"),
      .clockChanged(.set(Moment.start)), .clockChanged(.frozen), .channel(.deleted(app, id: "c")),
      .activity(.updated(1, device: "alice", notification: 1)),
      .activity(.ended(1, device: "alice", notification: 1)),
      .activity(.ignored(device: "alice", notification: 1, reason: "r")),
      .channel(.subscribed(app, id: "c", device: "alice")),
      .channel(.unsubscribed(app, id: "c", device: "alice")),
      .channel(.published(app, id: "c", notification: 1, subscribers: 2, delivered: 1)),
      .channel(.ended(.expired, app, id: "c", notification: 1, detail: 0)),
      .channel(.capability(bundleId: "b", isOn: false)),
    ]
  }()

  private static let id = ConnectionID(rawValue: 1)
  private static let app = Samples.app
  private static let label = DeviceLabel.name("alice")
  private static let tuple = FeedbackTuple(timestamp: 1, token: Samples.online)
  private static let provider = ProviderIdentity(
    topics: [Samples.topic],
    environment: .production,
    subject: "s"
  )
  private static let opening: ConnectionOpening = {
    var opening = ConnectionOpening(peer: "p", provider: provider, tlsVersion: "1.2", cipher: "c")
    opening.ordinal = 1
    return opening
  }()
  private static let first = Event.connectionOpened(id, .gateway, ordinal: 1, opening)

  /// Goes through the events in the order of their declaration: one that is added does not compile without a sample.
  private static func sample(after event: Event) -> Event? {
    switch event {
    case .connectionOpened: .connectionClosed(id, .reset, byService: true, ConnectionCounts())
    case .connectionClosed: .deviceConnected(id, DeviceOpening(peer: "p", device: "alice", subject: "s"))
    case .deviceConnected: .deviceDisconnected(id, .peerClosed, device: "alice", delivered: 1, lost: 0)
    case .deviceDisconnected: .connectionRefused(.gateway, peer: "p", reason: "r", subject: "s")
    case .connectionRefused: .connectionTurnedAway(.gateway, opening, reason: "noRoom")
    case .connectionTurnedAway: .connectionArrived(.gateway, ordinal: 1, acceptDelay: .seconds(1))
    case .connectionArrived: .certificateJudged(.gateway, ordinal: 1, provider, .alert(44))
    case .certificateJudged: .inputEnded(id)
    case .inputEnded: .shutdown(id)
    case .shutdown: .linesSent(id, count: 1)
    case .linesSent: .deviceSilent(id, seconds: 1)
    case .deviceSilent: .command(.freezeClock, wall: Moment.start)
    case .command: .commandFailed("r")
    case .commandFailed: .bytesIn(id, [1], count: 1)
    case .bytesIn: .bytesOut(id, [1])
    case .bytesOut:
      .errorSent(
        id,
        ErrorResponse(status: .invalidToken, identifier: .none),
        notification: 1,
        byteCount: 6,
        isLost: true
      )
    case .errorSent: .answered(id, stream: 1, notification: 1)
    case .answered: .streamGivenUp(id, stream: 3, notification: 2, .cancel)
    case .streamGivenUp: .resent(id, .number(1), notification: 2)
    case .resent: .faultFired(id, "reset")
    case .faultFired:
      .requestFault(id, "goaway", stream: 3, .goAway(lastStream: 1, .noError, debug: [0x62]))
    case .requestFault(_, _, _, .goAway?): .requestFault(id, "maxStreams", stream: 3, .maxStreams(1))
    case .requestFault: .outcome(.replaced, notification: 1, device: label, app: app, detail: 2)
    case .outcome: .feedbackAdded(app, tuple, isScripted: true)
    case .feedbackAdded: .feedbackRead(id, app, tuples: 1, bytes: [1])
    case .feedbackRead: .feedbackCleared(app)
    case .feedbackCleared: .deviceAdded(name: "alice", isOnline: true)
    case .deviceAdded: .deviceRemoved(name: "alice")
    case .deviceRemoved: .deviceOnline(name: "alice")
    case .deviceOnline: .deviceOffline(name: "alice")
    case .deviceOffline: .appInstalled(device: "alice", app: app, token: [1], isIssued: true)
    case .appInstalled: .appUninstalled(device: "alice", app: app, token: [1])
    case .appUninstalled: .appRemoved(device: "alice", app: app, token: [1])
    case .appRemoved: .channel(.created(app, id: "c", .mostRecent))
    case .channel:
      .activity(
        .started(1, device: "alice", app, type: "S", notification: 1, token: [1], channel: "c")
      )
    case .activity: .clockChanged(.advanced(.seconds(1)))
    case .clockChanged: .historyCleared
    case .historyCleared: .timelineFailed("r")
    case .timelineFailed: .expectation(text: "t", isSatisfied: true, found: 1)
    case .expectation:
      .requestMalformed(id, MalformedRequest(stream: 3, code: .protocolError, header: "X-Id", reason: "r"))
    case .requestMalformed: nil
    }
  }
}
