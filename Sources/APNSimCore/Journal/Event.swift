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
