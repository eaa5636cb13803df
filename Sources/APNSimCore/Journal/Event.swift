package import APNSimWire

/// Something that happened, other than a notification coming in: those have a record of their own.
package enum Event: Sendable {
  case connectionOpened(ConnectionID, Listener, ordinal: UInt32, ConnectionOpening)
  case connectionClosed(ConnectionID, ClosingReason, byService: Bool, ConnectionCounts)
  case deviceConnected(ConnectionID, DeviceOpening)
  case deviceDisconnected(
    ConnectionID,
    ClosingReason,
    device: String,
    delivered: UInt64,
    lost: UInt64
  )
  /// A certificate was refused in the handshake, or something else than TLS was spoken.
  case connectionRefused(Listener, peer: String, reason: String, subject: String)
  /// A provider with a good certificate was turned away: no room, churn.
  case connectionTurnedAway(Listener, ConnectionOpening, reason: String)
  /// A TCP connection came in and a rule about that was asked: recorded because the rule counts, and draws.
  case connectionArrived(Listener, ordinal: UInt32, acceptDelay: TimeSpan)
  /// A good certificate came in and a rule about handshakes was asked, with what it decided.
  case certificateJudged(Listener, ordinal: UInt32, ProviderIdentity, Fault.HandshakeRefusal?)
  /// The provider ended its side while an error response waited for more of it.
  case inputEnded(ConnectionID)
  /// An operator shuts a connection down.
  case shutdown(ConnectionID)
  /// A number of lines that waited for a device were taken to be sent.
  case linesSent(ConnectionID, count: Int)
  /// A device connected and said nothing for so long.
  case deviceSilent(ConnectionID, seconds: Int64)
  /// Somebody asked for something; what came of it follows. The wall time where something depends on it and the
  /// event's own time is another. Kept apart: commands are rare and have room for a whole rule, and each event in the
  /// journal is as large as the largest.
  indirect case command(Command, wall: Timestamp?)
  /// It could not be done, and nothing was.
  case commandFailed(String)
  /// Bytes from a provider that are part of no notification: what follows a frame that cannot be read, the rest of
  /// one that was answered early, an unfinished tail. `count` is their number where not all were kept.
  case bytesIn(ConnectionID, [UInt8], count: Int)
  /// A line to a device, other than a notification.
  case bytesOut(ConnectionID, [UInt8])
  /// An error response, or as many of its bytes as were sent; `isLost` when a reset took it.
  case errorSent(ConnectionID, ErrorResponse, notification: UInt64, byteCount: Int, isLost: Bool)
  /// The answer to a request left, some time after the request.
  case answered(ConnectionID, stream: UInt32, notification: UInt64)
  /// A stream was reset, since what came on it was no request. Kept apart, so that an event in the journal is no larger than
  /// the common ones.
  indirect case requestMalformed(ConnectionID, MalformedRequest)
  /// The provider gave up a stream whose answer had not left.
  case streamGivenUp(ConnectionID, stream: UInt32, notification: UInt64, HTTP2Code)
  /// A notification that an error on an earlier connection had cost came again.
  case resent(ConnectionID, ProviderReference, notification: UInt64)
  /// Something went wrong on purpose.
  case faultFired(ConnectionID, String)
  /// Something went wrong on purpose at a request, by a frame that may be GOAWAY.
  case requestFault(ConnectionID, String, stream: UInt32, RequestFrame?)
  /// The later outcome of a notification that had been stored.
  case outcome(Outcome, notification: UInt64, device: DeviceLabel, app: AppKey, detail: UInt64)
  case feedbackAdded(AppKey, FeedbackTuple, isScripted: Bool)
  case feedbackRead(ConnectionID, AppKey, tuples: Int, bytes: [UInt8])
  case feedbackCleared(AppKey?)
  case deviceAdded(name: String, isOnline: Bool)
  case deviceRemoved(name: String)
  case deviceOnline(name: String)
  case deviceOffline(name: String)
  case appInstalled(device: String, app: AppKey, token: [UInt8], isIssued: Bool)
  case appUninstalled(device: String, app: AppKey, token: [UInt8])
  case appRemoved(device: String, app: AppKey, token: [UInt8])
  /// Kept apart, so that an event in the journal is no larger than the common ones.
  indirect case channel(BroadcastEvent)
  indirect case activity(ActivityEvent)
  case clockChanged(ClockChange)
  case historyCleared
  /// A command of the timeline could not be carried out.
  case timelineFailed(String)
  /// An expectation of the timeline was looked at.
  case expectation(text: String, isSatisfied: Bool, found: Int)
}

/// A move of the clock, as it was asked for.
package enum ClockChange: Hashable, Sendable {
  case advanced(TimeSpan)
  case set(Timestamp)
  case frozen
  case resumed
}

/// An event in its place in the total order.
package struct EventRecord: Sendable {
  package var seq: UInt64
  package var time: Timestamp
  package var event: Event
}

extension EventRecord {
  func write(to state: inout StateWriter) {
    state.write(raw: seq)
    time.write(to: &state)
    event.write(to: &state)
  }

  init(reading state: inout StateReader, texts: any StateTexts) throws(StateError) {
    seq = try state.raw(UInt64.self)
    time = try state.read()
    event = try Event(reading: &state, texts: texts)
  }
}

extension Event {
  /// The cases by the byte that stands for each. A number is never given to another case: new ones come last.
  enum Tag: UInt8, CaseIterable {
    case connectionOpened, connectionClosed, deviceConnected, deviceDisconnected, connectionRefused,
      connectionTurnedAway, connectionArrived, certificateJudged, inputEnded, shutdown, linesSent,
      deviceSilent, command, commandFailed, bytesIn, bytesOut, errorSent, answered, streamGivenUp, resent,
      faultFired, requestFault, outcome, feedbackAdded, feedbackRead, feedbackCleared, deviceAdded,
      deviceRemoved, deviceOnline, deviceOffline, appInstalled, appUninstalled, appRemoved, channel, activity,
      clockChanged, historyCleared, timelineFailed, expectation, requestMalformed
  }

  func write(to state: inout StateWriter) {
    switch self {
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      state.write(Tag.connectionOpened, id, listener, ordinal, opening)
    case .connectionClosed(let id, let reason, let byService, let counts):
      state.write(Tag.connectionClosed, id, reason, byService, counts)
    case .deviceConnected(let id, let opening): state.write(Tag.deviceConnected, id, opening)
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      state.write(Tag.deviceDisconnected, id, reason, device, delivered, lost)
    case .connectionRefused(let listener, let peer, let reason, let subject):
      state.write(Tag.connectionRefused, listener, peer, reason, subject)
    case .connectionTurnedAway(let listener, let opening, let reason):
      state.write(Tag.connectionTurnedAway, listener, opening, reason)
    case .connectionArrived(let listener, let ordinal, let delay):
      state.write(Tag.connectionArrived, listener, ordinal, delay)
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      state.write(Tag.certificateJudged, listener, ordinal, provider, refusal)
    case .inputEnded(let id): state.write(Tag.inputEnded, id)
    case .shutdown(let id): state.write(Tag.shutdown, id)
    case .linesSent(let id, let count): state.write(Tag.linesSent, id, count)
    case .deviceSilent(let id, let seconds): state.write(Tag.deviceSilent, id, seconds)
    case .command(let command, let wall):
      var writer = JSONWriter()
      command.write(to: &writer)
      state.write(Tag.command, wall, writer.bytes)
    case .commandFailed(let reason): state.write(Tag.commandFailed, reason)
    case .bytesIn(let id, let bytes, let count):
      state.write(Tag.bytesIn, id, bytes, count)
    case .bytesOut(let id, let bytes):
      state.write(Tag.bytesOut, id, bytes)
    case .errorSent(let id, let response, let number, let count, let isLost):
      state.write(Tag.errorSent, id, response, number, count, isLost)
    case .answered(let id, let stream, let number): state.write(Tag.answered, id, stream, number)
    case .streamGivenUp(let id, let stream, let number, let code):
      state.write(Tag.streamGivenUp, id, stream, number, code)
    case .requestMalformed(let id, let malformed): state.write(Tag.requestMalformed, id, malformed)
    case .resent(let id, let reference, let number): state.write(Tag.resent, id, reference, number)
    case .faultFired(let id, let fault): state.write(Tag.faultFired, id, fault)
    case .requestFault(let id, let fault, let stream, let frame):
      state.write(Tag.requestFault, id, fault, stream, frame)
    case .outcome(let outcome, let number, let device, let app, let detail):
      state.write(Tag.outcome, outcome, number, device, app, detail)
    case .feedbackAdded(let app, let tuple, let isScripted):
      state.write(Tag.feedbackAdded, app, tuple, isScripted)
    case .feedbackRead(let id, let app, let count, let bytes):
      state.write(Tag.feedbackRead, id, app, count, bytes)
    case .feedbackCleared(let app): state.write(Tag.feedbackCleared, app)
    case .deviceAdded(let name, let isOnline): state.write(Tag.deviceAdded, name, isOnline)
    case .deviceRemoved(let name): state.write(Tag.deviceRemoved, name)
    case .deviceOnline(let name): state.write(Tag.deviceOnline, name)
    case .deviceOffline(let name): state.write(Tag.deviceOffline, name)
    case .appInstalled(let device, let app, let token, let isIssued):
      state.write(Tag.appInstalled, device, app, token, isIssued)
    case .appUninstalled(let device, let app, let token):
      state.write(Tag.appUninstalled, device, app, token)
    case .appRemoved(let device, let app, let token):
      state.write(Tag.appRemoved, device, app, token)
    case .channel(let event): state.write(Tag.channel, event)
    case .activity(let event): state.write(Tag.activity, event)
    case .clockChanged(let change): state.write(Tag.clockChanged, change)
    case .historyCleared: state.write(Tag.historyCleared)
    case .timelineFailed(let reason): state.write(Tag.timelineFailed, reason)
    case .expectation(let text, let isSatisfied, let count):
      state.write(Tag.expectation, text, isSatisfied, count)
    }
  }

  init(reading state: inout StateReader, texts: any StateTexts) throws(StateError) {
    self =
      switch try state.tag(Tag.self, of: Event.self) {
      case .connectionOpened: try state.read(Event.connectionOpened)
      case .connectionClosed: try state.read(Event.connectionClosed)
      case .deviceConnected: try state.read(Event.deviceConnected)
      case .deviceDisconnected: try state.read(Event.deviceDisconnected)
      case .connectionRefused: try state.read(Event.connectionRefused)
      case .connectionTurnedAway: try state.read(Event.connectionTurnedAway)
      case .connectionArrived: try state.read(Event.connectionArrived)
      case .certificateJudged: try state.read(Event.certificateJudged)
      case .inputEnded: try state.read(Event.inputEnded)
      case .shutdown: try state.read(Event.shutdown)
      case .linesSent: .linesSent(try state.read(), count: try state.number())
      case .deviceSilent: try state.read(Event.deviceSilent)
      case .command: try Self.command(reading: &state, texts)
      case .commandFailed: try state.read(Event.commandFailed)
      case .bytesIn: .bytesIn(try state.read(), try state.read(), count: try state.number())
      case .bytesOut: try state.read(Event.bytesOut)
      case .errorSent:
        .errorSent(
          try state.read(),
          try state.read(),
          notification: try state.read(),
          byteCount: try state.number(),
          isLost: try state.read()
        )
      case .answered: try state.read(Event.answered)
      case .streamGivenUp: try state.read(Event.streamGivenUp)
      case .requestMalformed: try state.read(Event.requestMalformed)
      case .resent: try state.read(Event.resent)
      case .faultFired: try state.read(Event.faultFired)
      case .requestFault: try state.read(Event.requestFault)
      case .outcome: try state.read(Event.outcome)
      case .feedbackAdded: try state.read(Event.feedbackAdded)
      case .feedbackRead:
        .feedbackRead(try state.read(), try state.read(), tuples: try state.number(), bytes: try state.read())
      case .feedbackCleared: try state.read(Event.feedbackCleared)
      case .deviceAdded: try state.read(Event.deviceAdded)
      case .deviceRemoved: try state.read(Event.deviceRemoved)
      case .deviceOnline: try state.read(Event.deviceOnline)
      case .deviceOffline: try state.read(Event.deviceOffline)
      case .appInstalled: try state.read(Event.appInstalled)
      case .appUninstalled: try state.read(Event.appUninstalled)
      case .appRemoved: try state.read(Event.appRemoved)
      case .channel: try state.read(Event.channel)
      case .activity: try state.read(Event.activity)
      case .clockChanged: try state.read(Event.clockChanged)
      case .historyCleared: .historyCleared
      case .timelineFailed: try state.read(Event.timelineFailed)
      case .expectation:
        .expectation(text: try state.read(), isSatisfied: try state.read(), found: try state.number())
      }
  }

  private static func command(
    reading state: inout StateReader,
    _ texts: any StateTexts
  ) throws(StateError) -> Event {
    let wall: Timestamp? = try state.read()
    let json: [UInt8] = try state.read()
    do {
      return .command(try texts.command(json), wall: wall)
    } catch {
      throw state.error("a command was expected: \(error)")
    }
  }
}

extension StateReader {
  /// Reads a number of something.
  fileprivate mutating func number() throws(StateError) -> Int {
    let number = try raw(Int.self)
    guard number >= 0 else { throw error("a number of something was expected, and \(number) found") }
    return number
  }
}

extension ClockChange: KeptByCases {
  enum Tag: UInt8, CaseIterable { case advanced, set, frozen, resumed }

  func write(to state: inout StateWriter) {
    switch self {
    case .advanced(let span): state.write(Tag.advanced, span)
    case .set(let moment): state.write(Tag.set, moment)
    case .frozen: state.write(Tag.frozen)
    case .resumed: state.write(Tag.resumed)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .advanced: try state.read(Self.advanced)
      case .set: try state.read(Self.set)
      case .frozen: .frozen
      case .resumed: .resumed
      }
  }
}
