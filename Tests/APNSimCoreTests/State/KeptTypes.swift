import APNSimWire
import DequeModule

@testable import APNSimCore

/// Every type that is kept, with values that have something in each of their members.
enum KeptTypes {
  static let all: [KeptType] =
    standard + wire + ground + connections + gateway + requests + rules + devices + broadcasts + habits
    + tables + inputs

  private static let id = ConnectionID(rawValue: 3)
  private static let now = Moment.start
  private static let app = AppKey(topic: "com.example.é", environment: .sandbox)
  private static let token = DeviceToken(hash: 5)
  private static let error = ErrorResponse(
    status: .shutdown,
    identifier: NotificationIdentifier(rawValue: 0xD204)
  )

  private static let standard = [
    KeptType(UInt8(7)), KeptType(UInt16.max), KeptType(UInt32(7)), KeptType(UInt64.max), KeptType(-1),
    KeptType(Int64.min), KeptType(true, false), KeptType("", "\u{E9} e\u{301}"), KeptType(UInt32?.none, 7),
    KeptType([UInt16](), [1, 2]),
    KeptType(["a": true, "b": false]), KeptType(Set(["a", "b"])), KeptType(Deque([1, 2])),
  ]

  private static let wire = [
    KeptType(NotificationIdentifier(rawValue: 0xD204_0000)), KeptType(StatusCode(rawValue: 99)),
    KeptType(HTTP2Code.refusedStream), KeptType(Reason.unregistered),
    KeptType(ChannelDescription.StoragePolicy.mostRecent), KeptType(error),
    KeptType(FeedbackTuple(timestamp: .max, token: [1, 2, 3])), KeptType(ByteRange(start: 1, count: 36)),
    KeptType(identifier), KeptType(answer), KeptType(ExactText("e\u{301}")),
    KeptType(
      JSONValue.null,
      .object([
        .init(key: "aps", value: .array([.number("1e400"), .bool(true), .string("\0é")])),
        .init(key: "aps", value: .null),
      ])
    ),
  ]

  /// One whose bits say that it was not made here.
  private static var identifier: Identifier {
    var identifier = Identifier(random: 0, 0)
    (identifier.high, identifier.low) = (1, 2)
    return identifier
  }

  private static var answer: Answer {
    var answer = Answer(
      to: Request(),
      in: UnsafeRawBufferPointer(start: nil, count: 0),
      reason: .unregistered,
      timestamp: 1_338_508_800_000,
      made: Identifier(random: 1, 2),
      unique: Identifier(random: 3, 4),
      quirks: [.contentTypeOnErrors]
    )
    (answer.supplied, answer.isBroadcast) = (ByteRange(start: 1, count: 36), true)
    return answer
  }

  private static let ground = [
    KeptType(Timestamp(rawValue: .min)), KeptType(TimeSpan(milliseconds: -1)),
    KeptType(SimulationClock(.virtual(start: Timestamp(seconds: 5)), start: now)), KeptType(durations),
    KeptType(SeededGenerator(seed: 99)), KeptType(PushEnvironment.production, .sandbox), KeptType(app),
    KeptType(ProviderIdentity(topics: ["a", "b"], environment: .sandbox, subject: "CN=é")),
    KeptType(Outcome.stored),
    KeptType(RequestRules.Quirks.contentTypeOnErrors),
    KeptType(ClockChange.advanced(.seconds(5)), .set(now), .frozen, .resumed),
    KeptType(TimelineFailure(time: now, reason: "there is no device \"nobody\"")),
    KeptType(NearMiss(id: "n5", differences: [difference])), KeptType(difference),
    KeptType(`A tally that is kept`.tally), KeptType(`A tally that is kept`.tally.exchanges),
    KeptType("Slab", [StateBytes.of { slab.write(to: &$0) }]) {
      let slab = try StateBytes.read($0) { try Slab<UInt64>(reading: &$0) }
      return StateBytes.of { slab.write(to: &$0) }
    },
    KeptType("ByteArena", [StateBytes.of { arena.write(to: &$0) }]) {
      let arena = try StateBytes.read($0) { try ByteArena(reading: &$0) }
      return StateBytes.of { arena.write(to: &$0) }
    },
    KeptType(schedule, remade: ["reminders", "destination"]), KeptType(KeptRows([1, 2] as [UInt32])),
    KeptType(KeptPlaces([1, 2])),
  ]

  private static let difference = Query.Difference(
    path: "payload.aps.badge",
    expected: "3",
    actual: .number("2")
  )

  private static var durations: DurationCounts {
    var counts = DurationCounts()
    for duration in [0, 101, 70_000_000] as [Int64] { counts.add(duration, count: 3) }
    return counts
  }

  private static var slab: Slab<UInt64> {
    var slab = Slab<UInt64>()
    for number in 0..<UInt64(9) { _ = slab.insert(number) }
    for place in [3, 7] as [UInt32] { slab.remove(place) }
    return slab
  }

  private static var arena: ByteArena {
    var arena = ByteArena()
    _ = [1, 2, 3, 4].withUnsafeBytes { arena.append($0) }
    return arena
  }

  private static var schedule: Schedule {
    var schedule = Schedule(.virtual(start: nil), start: now)
    for task in `Time that is written down and read back`.tasks { schedule.add(task, at: now + .seconds(5)) }
    return schedule
  }

  private static let connections = [
    KeptType(id), KeptType(Listener.http2), KeptType(ClosingReason.drained),
    KeptType(ConnectionEnding.none, .drain, .reset, .stopReading),
    KeptType(ConnectionCounts(received: 9, accepted: 5, rejected: 3, discarded: 1)),
    KeptType(`Connections that are kept`.beginning(2).opening),
    KeptType(`Connections that are kept`.beginning(2)),
    KeptType(`Connections that are kept`.gateway(1).facts),
    KeptType(ConnectionRecord.Closed(at: now, reason: .reset)),
    KeptType(
      Connection.gateway(`Connections that are kept`.gateway(1)),
      .feedback(feedback),
      .http2(requester)
    ),
    KeptType(feedback),
  ]

  private static var feedback: FeedbackRecord {
    let record = FeedbackRecord(`Connections that are kept`.beginning(2, [.feedbackTruncate(20)]))
    record.tuplesRead = 7
    return record
  }

  private static let gateway = [
    KeptType(`Connections that are kept`.gateway(1), remade: ["awaited", "progress"]),
    KeptType(GatewayRecord.Discard(reference: .number(4), fate: .resent)),
    KeptType(GatewayRecord.Fate.awaited(place: 7), .resent, .notFollowed),
    KeptType(SentError(response: error, at: now)),
    KeptType(ProviderReference.identifier(error.identifier), .number(1 << 40)),
    KeptType(`Connections that are kept`.gateway(1).replies), KeptType(pendingReply),
    KeptType(duplicates), KeptType(DuplicateWatch.Accepted(number: 4, connection: id), remade: ["content"]),
    KeptType(DuplicateWatch.Failed(connection: id, accepted: 9)), KeptType(standing, remade: ["queues"]),
  ]

  private static let pendingReply = PendingReply(
    exchange: 4,
    response: error,
    notification: 12,
    reply: reply,
    framesLeft: 2
  )

  private static let reply = Reply(
    status: .shutdown,
    identifier: .exactly(error.identifier),
    afterFrames: 3,
    delay: .seconds(1),
    packet: .init(byteCount: 2, cut: .afterFirstByte),
    resets: true,
    isLost: true
  )

  private static var duplicates: DuplicateWatch {
    var watch = DuplicateWatch()
    watch.connectionFailed(id, accepted: 9)
    watch.stands(.init(number: 4, connection: id), key: 77)
    _ = watch.candidate(4, on: id)
    return watch
  }

  private static var standing: StandingNotifications {
    var standing = StandingNotifications()
    for key in [9, 77] as [UInt64] { standing.put(.init(number: 4, connection: id), key) }
    return standing
  }

  private static var requester: RequestRecord { `Connections that are kept`.requests(2) }

  private static var malformed: MalformedRequests {
    var malformed = MalformedRequests()
    for stream: UInt32 in 1...25 {
      malformed.add(MalformedRequest(stream: stream, code: .protocolError, header: "X-Id", reason: "a rule"))
    }
    return malformed
  }

  private static let requests = [
    // The book of connections keeps what was malformed.
    KeptType(requester, remade: ["latest", "unansweredNumbers", "malformed"]),
    KeptType(malformed.latest[0]), KeptType(malformed), KeptType(requester.pending[0]),
    KeptType(requester.pending[0].answer, remade: ["cut"]), KeptType(requester.unanswered[0]),
    KeptType(RequestRecord.Departure(lastAnswered: 5, refuses: true, closes: false)),
    KeptType(RequestRecord.GoAway(lastStream: 5, at: now)),
    KeptType(RequestAnswer.Leaving(part: .body, cut: .afterFirstByte)), KeptType(AnswerCut.afterFirstByte),
    KeptType(requester.pending[0].answer.additions), KeptType(AnswerHeader(name: "retry-after", value: "1")),
    KeptType(ChannelAnswer(id: [1], body: [2, 3])),
    KeptType(
      RequestFrame.goAway(lastStream: 3, .noError, debug: [1, 2]),
      .resetStream(5, .cancel),
      .maxStreams(nil),
      .maxStreams(1)
    ),
    KeptType(requester.binding), KeptType(ProviderTokenBinding.Holder(team: "T", keyID: "K", scope: scope)),
    KeptType(scope),
    KeptType(`Provider tokens that are kept`.teams(2)),
    KeptType(`Provider tokens that are kept`.teams(2)["ONE"] ?? ProviderTokenUpdates(), remade: ["latest"]),
    KeptType(
      ProviderTokenUpdates.Key(
        known: [1, 2],
        lastGood: now,
        lastRefused: 3,
        refused: 4,
        firstRefused: now,
        renewal: renewal
      )
    ),
    KeptType(renewal), KeptType(sights),
  ]

  private static let renewal = {
    var renewal = ProviderTokenUpdates.Renewal()
    for token in [7, 7, 8] as [UInt64] { renewal.refuse(token) }
    renewal.issuedAt = 5
    return renewal
  }()

  private static let sights = {
    var sights = FirstSights()
    for token in 1...3 as ClosedRange<UInt64> {
      _ = sights.see(token, issuedAt: now, at: now + .hours(2), real: now + .minutes(1))
    }
    return sights
  }()

  private static let scope = ProviderKeyScope(team: "T", environment: .sandbox, topics: ["com.example.sim"])

  private static let rules = [
    KeptType(each: FaultSamples.all),
    KeptType(Fault.Trigger.now, .afterBytes(5), .afterFrames(6), .afterRequests(7)),
    KeptType(Fault.HandshakeRefusal.alert(44), .close),
    KeptType(Fault.GoAway.LastStream.exact, .below, .zero, .number(5)),
    KeptType(plan),
    KeptType(ConnectionPlan.More(), ConnectionPlan.More(keepsFeedback: true, faults: [added])),
    KeptType(added), KeptType(ConnectionPlan.Jitter(from: .seconds(1), to: .seconds(5), seed: 9)),
    KeptType(StreamStrike(fault: .reset(.afterBytes(5)), bytesLeft: 4, framesLeft: 3)), KeptType(reply),
    KeptType(reply.packet), KeptType(Reply.Identifier.right, .wrong, .zero, .exactly(error.identifier)),
    KeptType(RuleBook.Entry.Outage(until: now, requestsLeft: 3)),
    KeptType(RuleBook.Entry.Lag(since: now, successes: 3)),
  ]

  private static let added = ConnectionPlan.More.Added(fault: .latency(.seconds(1)), seed: 5)

  private static var plan: ConnectionPlan {
    let faults: [Fault] = [
      .latency(.seconds(1)), .jitter(.zero, .hours(1)), .slice(3, .seconds(2)),
      .closeAfterHandshake(.seconds(3)), .blackHole, .ignorePing, .idleClose(.seconds(4)),
      .close(.afterBytes(5)), .feedbackHoldOpen, .feedbackTruncate(6),
    ]
    return `Connections that are kept`.beginning(1, faults).plan
  }

  private static let devices = [
    KeptType(token), KeptType(DeviceLabel.name("bob"), .token(token)),
    KeptType(
      DeviceOpening(
        peer: "127.0.0.1:1",
        device: "bob",
        subject: "CN=bob",
        environment: .sandbox,
        tlsVersion: "1.2",
        cipher: "AES"
      )
    ), KeptType(DeviceSession.Phase.open, .ending, .closed),
    KeptType(
      DeviceNotification(number: 5, app: app, time: now, payload: [1, 2], identifier: 7, deadline: now),
      remade: ["presentation", "origin", "screen"]
    ),
    KeptType(retired), KeptType(RetiredPlaces.Waiting(place: .device(5), end: 9)),
    KeptType(RetiredPlaces.Place.registration(4), .device(5)),
    KeptType(CollapsedNotifications.Entry(identifier: [1, 2], handle: 3)),
  ]

  private static var retired: RetiredPlaces {
    var places = RetiredPlaces()
    places.append(.registration(4), end: 8)
    places.append(.device(5), end: 9)
    return places
  }

  private static let broadcasts = [
    KeptType(ChannelIdentifiers()),
    KeptType(
      BroadcastEvent.created(app, id: "AA", .mostRecent),
      .deleted(app, id: "AA"),
      .subscribed(app, id: "AA", device: "alice"),
      .unsubscribed(app, id: "AA", device: "alice"),
      .published(app, id: "AA", notification: 5, subscribers: 3, delivered: 2),
      .ended(.expired, app, id: "AA", notification: 5, detail: 1),
      .capability(bundleId: "com.example.sim", isOn: true)
    ),
    KeptType(
      ActivityEvent.started(1, device: "a", app, type: "Score", notification: 2, token: [3], channel: "AA"),
      .updated(1, device: "a", notification: 3),
      .ended(1, device: "a", notification: 4),
      .ignored(device: nil, notification: 6, reason: "r")
    ),
    KeptType(activity), KeptType(Activity.FollowedChannel(place: 4, id: "AA")),
    KeptType(IgnoredPush(notification: 9, time: now, reason: "r")),
    KeptType(ActivityBook.Waiting(notification: 5, activity: 20)),
    KeptType(ActivityBook.TokenKey(app: app, token: [1, 2])),
  ]

  private static let activity = Activity(
    number: 1,
    device: 2,
    registration: 3,
    app: app,
    type: "Score",
    attributes: [4],
    contentState: [5, 6],
    token: [7],
    channel: Activity.FollowedChannel(place: 8, id: "AA"),
    started: now,
    updated: now + .seconds(9),
    timestamp: -10,
    updates: 11,
    staleDate: now + .seconds(12),
    relevanceScore: "13",
    alert: "Goal: 1:0",
    ended: now + .seconds(14),
    dismissal: now + .seconds(15)
  )

  private static let habits = [
    KeptType(AdviceTally(count: 1, amount: 2, first: now, last: now + .seconds(3))),
    KeptType(diligence), KeptType(`Habits that are kept`.provider().watch, remade: ["limits"]),
    KeptType(churn), KeptType(unread), KeptType(debt),
    KeptType(minting, remade: ["known"]), KeptType(scripted),
    KeptType(ScriptedFeedback.Entry(app: 1, tuple: FeedbackTuple(timestamp: 5, token: [1, 2]))),
  ]

  private static var diligence: ConnectionDiligence {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...19 as ClosedRange<UInt32> { provider.send(1, read: read, on: &connection) }
    return connection
  }

  private static var churn: ConnectionChurn {
    var churn = ConnectionChurn()
    _ = churn.closed(at: now, limits: DiligenceLimits())
    churn.refused(at: now, limits: DiligenceLimits())
    return churn
  }

  private static var unread: UnreadFeedback {
    var unread = UnreadFeedback()
    unread.listed(at: now)
    _ = unread.sent(2, at: now, limits: DiligenceLimits())
    return unread
  }

  private static var debt: ResendDebt {
    var debt = ResendDebt()
    debt.add(3, resent: 0, at: now)
    debt.giveUp(at: now)
    debt.forget(1)
    return debt
  }

  private static var minting: TokenMinting {
    var minting = TokenMinting()
    for token in [5, 3, 9] as [UInt64] { minting.sent(token, at: now, limits: DiligenceLimits()) }
    return minting
  }

  private static var scripted: ScriptedFeedback {
    var scripted = ScriptedFeedback()
    for number in 0..<3 as Range<UInt32> {
      _ = scripted.add(FeedbackTuple(timestamp: number, token: [1, 2]), app: UInt16(number % 2))
    }
    _ = scripted.take(1)
    return scripted
  }

  private static var opening: ConnectionOpening { `Connections that are kept`.beginning(2).opening }

  /// The tables of the state, small as they are at a start: each byte of them is damaged.
  private static let tables = [
    KeptType(ChannelKey(app: app, id: "AA")), KeptType(channel), KeptType(message),
    KeptType(
      `Channels that are kept`.book(6),
      remade: ["places", "byApp", "subscriptions", "subscriptionCount", "messageBytes", "mostOfApp"]
    ),
    KeptType(ChannelBook.WaitingMessage(place: 4, number: 5)),
    KeptType(
      activities,
      remade: ["byDevice", "byToken", "stale", "reasons", "byteCount"]
    ),
    KeptType(ActivityBook.Entry(activity: activity, isFoundByToken: true)),
    KeptType(ActivityBook.Reason(notification: 9, text: "r")),
    KeptType(collapsed), KeptType(names) { try DeviceNames(reading: &$0, devices: 6) },
    KeptType(facts), KeptType(odd, remade: ["byToken", "sizes", "counts"]),
    KeptType(OddTokens.Token(bytes: [1, 2], app: 1)),
    KeptType(lives, remade: ["ordinals", "lastOrdinal", "byDevice"]),
    KeptType(session, remade: ["queuedBytes"]),
    KeptType(DeviceSession.Beginning(id: session.id, opening: session.opening)),
    KeptType(session.queue[0], session.queue[1]),
    KeptType(`Connections of devices that are kept`.sessions(), remade: ["byDevice"]),
    KeptType(`Feedback that is kept`.ledger(3), remade: ["count", "limit"]),
    KeptType(apps[0]), KeptType(apps, remade: ["byKey", "limits", "scriptedFeedback"]),
    KeptType(book, remade: ["latest", "limits", "tokenUpdates"]),
    KeptType(
      `What is kept of errors`.tracker(9, limit: 20),
      `What is kept of errors`.requests,
      remade: ["courses", "later", "free", "places", "exact", "byContent", "byToken", "oldest", "limit"]
    ),
    KeptType(RuleBook.Written(entries: [rule], order: [0], state: "out")), KeptType(rule),
    KeptType(progress),
  ]

  private static var lives: TokenLives {
    var lives = TokenLives()
    for registration in [UInt32(1), 3] { lives.end(registration, at: now) }
    lives.replace(3, of: 2)
    lives.beginIncarnation(of: 2, app: 1)
    return lives
  }

  private static var activities: ActivityBook {
    var book = ActivityBook()
    book.add(activity, at: now)
    book.noteStale([2], app: app)
    book.noteWaiting(5, for: 1, on: 3)
    book.noteIgnored(IgnoredPush(notification: 9, time: now, reason: "r"), device: 2)
    return book
  }

  private static var book: ConnectionBook {
    var book = ConnectionBook(limits: Limits())
    book.add(.gateway(`Connections that are kept`.gateway(book.takeID().rawValue)))
    book.noteClosed(id)
    book.countDiscard()
    _ = book.takeOrdinal(of: .http2)
    return book
  }

  private static var message: Channel.Message {
    Channel.Message(
      number: 4,
      payload: [1, 2],
      until: now,
      endsByExpiry: true,
      waiting: [2, 5],
      isUndelivered: true
    )
  }

  private static var channel: Channel {
    var channel = Channel(ChannelKey(app: app, id: "AA"), .mostRecent, at: now)
    for registration in [2, 5] as [UInt32] { _ = channel.subscribe(registration) }
    (channel.published, channel.delivered, channel.message) = (3, 2, message)
    return channel
  }

  private static var collapsed: CollapsedNotifications {
    var collapsed = CollapsedNotifications()
    for registration in [4, 9] as [UInt32] {
      collapsed.add(.init(identifier: [1], handle: 3), to: registration)
    }
    return collapsed
  }

  /// One device has its name from the beginning, one has been given its name late, and one is removed.
  private static var names: DeviceNames {
    var names = DeviceNames()
    names.give("alice", to: 1)
    names.give("bob", to: 3, from: 7)
    names.give("carol", to: 5)
    names.take(from: 5)
    return names
  }

  private static var facts: RareFacts {
    var facts = RareFacts()
    _ = facts.beginMagic(of: 2)
    facts.setSibling(of: 3, 1)
    (facts.feedbackPositions, facts.disownings, facts.expirations) = ([1: 38], [4: now], [5: now])
    return facts
  }

  private static var odd: OddTokens {
    var tokens = OddTokens()
    tokens.insert([1, 2], app: 0, registration: 3)
    tokens.insert([1, 2, 3], app: 1, registration: 4)
    tokens.take(from: 4, app: 1)
    return tokens
  }

  private static var session: DeviceSession { `Connections of devices that are kept`.session }

  private static var apps: AppTable { `Apps that are kept`.apps(2) }

  private static let rule = RuleBook.Written.Entry(rule: Array("{}".utf8), progress: progress)

  private static let progress = RuleBook.Entry.Progress(
    matches: 3,
    fired: 2,
    outage: RuleBook.Entry.Outage(until: now, requestsLeft: 3),
    lags: [5: RuleBook.Entry.Lag(since: now, successes: 3)]
  )

  private static let inputs = [
    KeptType(ConnectionArrival(listener: .gateway)), KeptType(OrdinalTaking(listener: .http2)),
    KeptType(CertificateShowing(listener: .gateway, ordinal: 4, provider: opening.provider)),
    KeptType(RefusedConnection(listener: .device, peer: "127.0.0.1:1", reason: "no TLS", subject: "CN=x")),
    KeptType(GatewayOpening(opening: opening)), KeptType(RequestsOpening(opening: opening)),
    KeptType(FeedbackOpening(opening: opening)),
    KeptType(
      DeviceArrival(opening: DeviceOpening(peer: "127.0.0.1:1", device: "bob", subject: "CN=bob"))
    ),
    KeptType(Restart(wall: now)),
  ]
}
