import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A history that is kept` {
  private struct Texts: StateTexts {
    func scenario(_ json: [UInt8]) throws -> Scenario { throw StateError("no scenario", at: 0) }

    func command(_ json: [UInt8]) throws -> Command {
      guard let command = Events.commands.first(where: { Self.json($0) == json }) else {
        throw StateError("no command", at: 0)
      }
      return command
    }

    private static func json(_ command: Command) -> [UInt8] {
      var writer = JSONWriter()
      command.write(to: &writer)
      return writer.bytes
    }
  }

  /// One event of each case at least.
  private enum Events {
    static let commands: [Command] = [
      .clearHistory, .setOnline(device: "bob", true), .advanceClock(.seconds(3)),
    ]

    private static let id = ConnectionID(rawValue: 3)
    private static let app = Samples.app
    private static let provider = ProviderIdentity(
      topics: [Samples.topic, "com.example.other"],
      environment: .sandbox,
      subject: "CN=provider"
    )

    private static var opening: ConnectionOpening {
      var opening = ConnectionOpening(
        peer: "127.0.0.1:51234",
        provider: provider,
        tlsVersion: "1.2",
        cipher: "AES"
      )
      opening.ordinal = 4
      return opening
    }

    private static var counts: ConnectionCounts {
      var counts = ConnectionCounts()
      (counts.received, counts.accepted, counts.rejected, counts.discarded) = (9, 5, 3, 1)
      return counts
    }

    static var connections: [Event] {
      [
        .connectionOpened(id, .gateway, ordinal: 4, opening),
        .connectionClosed(id, .reset, byService: true, counts),
        .deviceConnected(id, DeviceOpening(peer: "127.0.0.1:1", device: "bob", subject: "CN=bob")),
        .deviceDisconnected(id, .peerClosed, device: "bob", delivered: 7, lost: 1),
        .connectionRefused(.feedback, peer: "127.0.0.1:2", reason: "no TLS", subject: ""),
        .connectionTurnedAway(.http2, opening, reason: "churn"),
        .connectionArrived(.gateway, ordinal: 5, acceptDelay: .seconds(1)),
        .certificateJudged(.gateway, ordinal: 5, provider, nil),
        .certificateJudged(.gateway, ordinal: 6, provider, .alert(44)),
        .inputEnded(id),
        .shutdown(id),
        .linesSent(id, count: 12),
        .deviceSilent(id, seconds: 30),
        .bytesIn(id, [1, 2, 3], count: 4096),
        .bytesOut(id, []),
        .errorSent(
          id,
          ErrorResponse(status: .invalidToken, identifier: NotificationIdentifier(rawValue: 9)),
          notification: 2,
          byteCount: 6,
          isLost: false
        ),
        .answered(id, stream: 7, notification: 3),
        .streamGivenUp(id, stream: 7, notification: 3, .cancel),
        .requestMalformed(
          id,
          MalformedRequest(stream: 9, code: .protocolError, header: "X-Id", reason: "a rule")
        ),
        .resent(id, .number(1), notification: 4),
        .faultFired(id, "reset"),
        .requestFault(id, "goaway", stream: 7, .goAway(lastStream: 5, .noError, debug: [0x7B])),
        .requestFault(id, "delay", stream: 9, nil),
      ]
    }

    static var others: [Event] {
      commands.map { .command($0, wall: nil) } + [
        .command(.clearHistory, wall: Moment.start),
        .commandFailed("there is no device bob"),
        .outcome(.expired, notification: 1, device: .name("bob"), app: app, detail: 1),
        .outcome(
          .delivered,
          notification: 1,
          device: .token(DeviceToken(hash: 5)),
          app: app,
          detail: 0
        ),
        .feedbackAdded(app, FeedbackTuple(timestamp: 77, token: Samples.offline), isScripted: true),
        .feedbackRead(id, app, tuples: 1, bytes: [0, 0, 0, 77]),
        .feedbackCleared(nil),
        .feedbackCleared(app),
        .deviceAdded(name: "cleo", isOnline: true),
        .deviceRemoved(name: "cleo"),
        .deviceOnline(name: "bob"),
        .deviceOffline(name: "bob"),
        .appInstalled(device: "bob", app: app, token: Samples.offline, isIssued: true),
        .appUninstalled(device: "bob", app: app, token: Samples.offline),
        .appRemoved(device: "bob", app: app, token: Samples.offline),
        .channel(.created(app, id: "dHN0", .mostRecent)),
        .channel(.ended(.expired, app, id: "dHN0", notification: 5, detail: 1)),
        .activity(.updated(1, device: "bob", notification: 6)),
        .activity(.ignored(device: nil, notification: 6, reason: "it ended")),
        .clockChanged(.advanced(.seconds(5))),
        .clockChanged(.set(Moment.start)),
        .clockChanged(.frozen),
        .clockChanged(.resumed),
        .historyCleared,
        .timelineFailed("there is no rule x"),
        .expectation(text: "received 1", isSatisfied: false, found: 0),
      ]
    }

    static var all: [Event] { connections + others }
  }

  /// So few that much makes room.
  private static var limits: Limits {
    var limits = Limits()
    (limits.history, limits.events, limits.eventBytes) = (200, 60, 100_000)
    limits.historyBytes = 3 * ByteArena.blockSize
    return limits
  }

  /// Adds notifications of about `bytes` bytes each, of which each third was delivered, and events between them.
  private static func go(on history: inout History, _ count: Int, bytes: Int) {
    let events = Events.all
    for index in 0..<count {
      let evidence = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes + index % 7)
      var submission = Submission()
      submission.end = evidence.count
      (submission.fields.tokenStart, submission.fields.tokenLength) = (3, 32)
      let place = evidence.withUnsafeBytes { history.keep($0) }
      let number = history.nextNumber
      history.upcomingNotification().initialize(
        to: NotificationRecord(
          seq: history.takeSeq(),
          time: Moment.start + .seconds(Int64(index)),
          evidence: place,
          connection: ConnectionID(rawValue: 1),
          read: 0,
          submission,
          outcome: index % 3 == 0 ? .delivered : .stored
        )
      )
      history.commitNotification()
      if index % 3 == 0 {
        _ = history.append(
          DeliveryRecord(
            previous: history.deliveries.end - 1,
            notification: number,
            time: Moment.start,
            payload: place + 3,
            identifier: index % 2 == 0 ? NotificationIdentifier(rawValue: UInt32(index)) : nil,
            payloadByteCount: 32
          )
        )
      }
      history.append(
        EventRecord(seq: history.takeSeq(), time: Moment.start, event: events[index % events.count])
      )
      if index % 50 == 0 { history.resolve(number, .replaced, replacedBy: number + 1) }
    }
    history.trim()
  }

  /// All that it has, in words.
  private static func text(_ history: borrowing History) -> [String] {
    var lines = [
      "\(history.nextSeq) \(history.completeFrom) \(history.clearedBefore) \(history.residentBytes)",
      "\(history.missing(from: 0, before: .max)) \(history.missingDeliveries(after: 0, through: 1 << 40))",
      "\(history.firstEvent)",
    ]
    for number in history.notifications.first..<history.notifications.end {
      let record = history.notifications[number]
      let evidence = Hex.encode(history.evidence(of: record).prefix(8))
      lines.append(
        "n\(number) \(record.seq) \(record.time) \(record.outcome) \(record.replacedBy) \(evidence)"
      )
    }
    for ordinal in history.deliveries.first..<history.deliveries.end {
      let record = history.deliveries[ordinal]
      let payload = Hex.encode(history.payload(of: record).prefix(8))
      lines.append(
        "\(ordinal) \(record.previous) \(record.notification) \(record.identifier?.hex ?? "-") \(payload)"
      )
    }
    for count in history.firstEvent..<history.endEvent {
      let record = history.event(count)
      lines.append("\(record.seq) \(record.time) \(record.event)")
    }
    return lines
  }

  private static func expectSame(_ other: borrowing History, _ history: borrowing History) {
    let (lines, expected) = (text(other), text(history))
    #expect(lines == expected)
  }

  private static func bytes(_ history: borrowing History) -> [UInt8] {
    var state = StateWriter()
    history.write(to: &state)
    return state.array
  }

  private static func read(_ bytes: some Collection<UInt8>) throws -> History {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { room.deallocate() }
    room.copyBytes(from: bytes)
    var state = StateReader(UnsafeRawBufferPointer(room))
    return try History(reading: &state, limits: limits, texts: Texts())
  }

  @Test(arguments: [(20, 50), (500, 50), (400, 5000)])
  func `a history that is kept goes on as the one that was written`(count: Int, bytes: Int) throws {
    var history = History(limits: Self.limits)
    Self.go(on: &history, count, bytes: bytes)
    let written = Self.bytes(history)
    var other = try Self.read(written)
    let again = Self.bytes(other)
    #expect(again == written)
    Self.expectSame(other, history)
    for _ in 0..<3 {
      Self.go(on: &history, 90, bytes: bytes)
      Self.go(on: &other, 90, bytes: bytes)
      Self.expectSame(other, history)
    }
  }

  @Test func `a history that is kept knows what was cleared away`() throws {
    var history = History(limits: Self.limits)
    Self.go(on: &history, 300, bytes: 50)
    history.removeAll()
    Self.go(on: &history, 10, bytes: 50)
    var other = try Self.read(Self.bytes(history))
    Self.expectSame(other, history)
    let newer = History(limits: Self.limits, after: history)
    other = try Self.read(Self.bytes(newer))
    Self.expectSame(other, newer)
  }

  @Test func `a history that is kept has events of every case that there is`() throws {
    var tags: Set<UInt8> = []
    for event in Events.all {
      var state = StateWriter()
      event.write(to: &state)
      let bytes = state.array
      tags.insert(try #require(bytes.first))
      let other = try bytes.withUnsafeBytes { bytes in
        var state = StateReader(bytes)
        let event = try Event(reading: &state, texts: Texts())
        #expect(state.isAtEnd)
        return event
      }
      #expect("\(other)" == "\(event)")
      #expect(other.byteCount == event.byteCount)
    }
    #expect(tags == Set(Event.Tag.allCases.map(\.rawValue)))
  }

  @Test func `a history that is kept is not read from less than was written`() throws {
    var history = History(limits: Self.limits)
    Self.go(on: &history, 4, bytes: 50)
    let bytes = Self.bytes(history)
    for count in 0..<bytes.count {
      #expect(throws: StateError.self) { _ = try Self.read(bytes.prefix(count)) }
    }
  }

  @Test func `a history that is kept is not read from other bytes than were written, or else without harm`()
    throws
  {
    var history = History(limits: Self.limits)
    Self.go(on: &history, 12, bytes: 50)
    let bytes = Self.bytes(history)
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] = ~damaged[place]
      do {
        var other = try Self.read(damaged)
        for number in other.notifications.first..<other.notifications.end {
          let record = other.notifications[number]
          _ = record.fields.token(in: other.evidence(of: record)).reduce(0, &+)
        }
        other.trim()
      } catch is StateError {}
    }
  }

  @Test func `a history that is kept names no registration and no app that is not there`() throws {
    var history = History(limits: Self.limits)
    Self.go(on: &history, 3, bytes: 50)
    let (isWithin, isWithinNone) = (
      history.isWithin(registrations: 0, apps: 1), history.isWithin(registrations: 0, apps: 0)
    )
    #expect(isWithin && !isWithinNone)
  }
}
