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
  /// So many lines that waited for a device were taken to be sent.
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

/// Each case has the number of its place.
extension Event {
  func write(to state: inout StateWriter) {
    switch self {
    case .connectionOpened(let id, let listener, let ordinal, let opening):
      state.write(tag: 0, id, listener, ordinal, opening)
    case .connectionClosed(let id, let reason, let byService, let counts):
      state.write(tag: 1, id, reason, byService, counts)
    case .deviceConnected(let id, let opening): state.write(tag: 2, id, opening)
    case .deviceDisconnected(let id, let reason, let device, let delivered, let lost):
      state.write(tag: 3, id, reason, device, delivered, lost)
    case .connectionRefused(let listener, let peer, let reason, let subject):
      state.write(tag: 4, listener, peer, reason, subject)
    case .connectionTurnedAway(let listener, let opening, let reason):
      state.write(tag: 5, listener, opening, reason)
    case .connectionArrived(let listener, let ordinal, let delay):
      state.write(tag: 6, listener, ordinal, delay)
    case .certificateJudged(let listener, let ordinal, let provider, let refusal):
      state.write(tag: 7, listener, ordinal, provider, refusal)
    case .inputEnded(let id): state.write(tag: 8, id)
    case .shutdown(let id): state.write(tag: 9, id)
    case .linesSent(let id, let count): state.write(tag: 10, id, count)
    case .deviceSilent(let id, let seconds): state.write(tag: 11, id, seconds)
    case .command(let command, let wall):
      var writer = JSONWriter()
      command.write(to: &writer)
      state.write(tag: 12, wall)
      state.write(writer.bytes)
    case .commandFailed(let reason): state.write(tag: 13, reason)
    case .bytesIn(let id, let bytes, let count):
      state.write(tag: 14, id)
      state.write(bytes)
      state.write(count)
    case .bytesOut(let id, let bytes):
      state.write(tag: 15, id)
      state.write(bytes)
    case .errorSent(let id, let response, let number, let count, let isLost):
      state.write(tag: 16, id, response, number, count, isLost)
    case .answered(let id, let stream, let number): state.write(tag: 17, id, stream, number)
    case .streamGivenUp(let id, let stream, let number, let code):
      state.write(tag: 18, id, stream, number, code)
    case .resent(let id, let reference, let number): state.write(tag: 19, id, reference, number)
    case .faultFired(let id, let fault): state.write(tag: 20, id, fault)
    case .requestFault(let id, let fault, let stream, let frame):
      state.write(tag: 21, id, fault, stream, frame)
    case .outcome(let outcome, let number, let device, let app, let detail):
      state.write(tag: 22, outcome, number, device, app, detail)
    case .feedbackAdded(let app, let tuple, let isScripted): state.write(tag: 23, app, tuple, isScripted)
    case .feedbackRead(let id, let app, let count, let bytes):
      state.write(tag: 24, id, app, count)
      state.write(bytes)
    case .feedbackCleared(let app): state.write(tag: 25, app)
    case .deviceAdded(let name, let isOnline): state.write(tag: 26, name, isOnline)
    case .deviceRemoved(let name): state.write(tag: 27, name)
    case .deviceOnline(let name): state.write(tag: 28, name)
    case .deviceOffline(let name): state.write(tag: 29, name)
    case .appInstalled(let device, let app, let token, let isIssued):
      state.write(tag: 30, device, app)
      state.write(token)
      state.write(isIssued)
    case .appUninstalled(let device, let app, let token):
      state.write(tag: 31, device, app)
      state.write(token)
    case .appRemoved(let device, let app, let token):
      state.write(tag: 32, device, app)
      state.write(token)
    case .channel(let event): state.write(tag: 33, event)
    case .activity(let event): state.write(tag: 34, event)
    case .clockChanged(let change): state.write(tag: 35, change)
    case .historyCleared: state.write(tag: 36)
    case .timelineFailed(let reason): state.write(tag: 37, reason)
    case .expectation(let text, let isSatisfied, let count): state.write(tag: 38, text, isSatisfied, count)
    }
  }

  init(reading state: inout StateReader, texts: any StateTexts) throws(StateError) {
    self =
      switch try state.raw(UInt8.self) {
      case 0:
        .connectionOpened(
          try state.read(),
          try state.read(),
          ordinal: try state.read(),
          try state.read()
        )
      case 1:
        .connectionClosed(
          try state.read(),
          try state.read(),
          byService: try state.read(),
          try state.read()
        )
      case 2: .deviceConnected(try state.read(), try state.read())
      case 3:
        .deviceDisconnected(
          try state.read(),
          try state.read(),
          device: try state.read(),
          delivered: try state.read(),
          lost: try state.read()
        )
      case 4:
        .connectionRefused(
          try state.read(),
          peer: try state.read(),
          reason: try state.read(),
          subject: try state.read()
        )
      case 5: .connectionTurnedAway(try state.read(), try state.read(), reason: try state.read())
      case 6: .connectionArrived(try state.read(), ordinal: try state.read(), acceptDelay: try state.read())
      case 7:
        .certificateJudged(
          try state.read(),
          ordinal: try state.read(),
          try state.read(),
          try state.read()
        )
      case 8: .inputEnded(try state.read())
      case 9: .shutdown(try state.read())
      case 10: .linesSent(try state.read(), count: try state.number())
      case 11: .deviceSilent(try state.read(), seconds: try state.read())
      case 12: try Self.command(reading: &state, texts)
      case 13: .commandFailed(try state.read())
      case 14: .bytesIn(try state.read(), try state.byteArray(), count: try state.number())
      case 15: .bytesOut(try state.read(), try state.byteArray())
      case 16:
        .errorSent(
          try state.read(),
          try state.read(),
          notification: try state.read(),
          byteCount: try state.number(),
          isLost: try state.read()
        )
      case 17: .answered(try state.read(), stream: try state.read(), notification: try state.read())
      case 18:
        .streamGivenUp(
          try state.read(),
          stream: try state.read(),
          notification: try state.read(),
          try state.read()
        )
      case 19: .resent(try state.read(), try state.read(), notification: try state.read())
      case 20: .faultFired(try state.read(), try state.read())
      case 21: .requestFault(try state.read(), try state.read(), stream: try state.read(), try state.read())
      case 22:
        .outcome(
          try state.read(),
          notification: try state.read(),
          device: try state.read(),
          app: try state.read(),
          detail: try state.read()
        )
      case 23: .feedbackAdded(try state.read(), try state.read(), isScripted: try state.read())
      case 24:
        .feedbackRead(
          try state.read(),
          try state.read(),
          tuples: try state.number(),
          bytes: try state.byteArray()
        )
      case 25: .feedbackCleared(try state.read())
      case 26: .deviceAdded(name: try state.read(), isOnline: try state.read())
      case 27: .deviceRemoved(name: try state.read())
      case 28: .deviceOnline(name: try state.read())
      case 29: .deviceOffline(name: try state.read())
      case 30:
        .appInstalled(
          device: try state.read(),
          app: try state.read(),
          token: try state.byteArray(),
          isIssued: try state.read()
        )
      case 31: .appUninstalled(device: try state.read(), app: try state.read(), token: try state.byteArray())
      case 32: .appRemoved(device: try state.read(), app: try state.read(), token: try state.byteArray())
      case 33: .channel(try state.read())
      case 34: .activity(try state.read())
      case 35: .clockChanged(try state.read())
      case 36: .historyCleared
      case 37: .timelineFailed(try state.read())
      case 38: .expectation(text: try state.read(), isSatisfied: try state.read(), found: try state.number())
      case let tag: throw state.error("an event was expected, and tag \(tag) found")
      }
  }

  private static func command(
    reading state: inout StateReader,
    _ texts: any StateTexts
  ) throws(StateError) -> Event {
    let wall: Timestamp? = try state.read()
    let json = try state.byteArray()
    do {
      return .command(try texts.command(json), wall: wall)
    } catch {
      throw state.error("a command was expected: \(error)")
    }
  }
}

extension StateWriter {
  fileprivate mutating func write<each Part: Kept>(tag: UInt8, _ part: repeat each Part) {
    write(raw: tag)
    repeat (each part).write(to: &self)
  }
}

extension StateReader {
  fileprivate mutating func byteArray() throws(StateError) -> [UInt8] { Array(try bytes()) }

  /// How many of something there were.
  fileprivate mutating func number() throws(StateError) -> Int {
    let number = try raw(Int.self)
    guard number >= 0 else { throw error("a number of something was expected, and \(number) found") }
    return number
  }
}

extension ClockChange: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .advanced(let span): state.write(tag: 0, span)
    case .set(let moment): state.write(tag: 1, moment)
    case .frozen: state.write(tag: 2)
    case .resumed: state.write(tag: 3)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    self =
      switch try state.raw(UInt8.self) {
      case 0: .advanced(try state.read())
      case 1: .set(try state.read())
      case 2: .frozen
      case 3: .resumed
      case let tag: throw state.error("a change of the clock was expected, and tag \(tag) found")
      }
  }
}
