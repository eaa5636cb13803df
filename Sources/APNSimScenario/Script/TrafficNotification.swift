package import APNSimCore
import APNSimWire

/// One item of `send`: notifications, or bytes as they are.
package enum TrafficPiece: Hashable, Sendable {
  case notification(TrafficNotification)
  case bytes([UInt8])
}

/// A notification as a file describes it, or several that differ only in their identifiers.
package struct TrafficNotification: Hashable, Sendable {
  package enum Recipient: Hashable, Sendable {
    /// The token that the device has for the connection's app when the notification is sent.
    case device(String)
    case token([UInt8])
  }

  package enum Identifier: Hashable, Sendable {
    /// The notification's place on its connection, from 1.
    case place
    case none
    /// This one; further ones count up.
    case from(UInt32)
  }

  package enum Expiry: Hashable, Sendable {
    case none
    case at(UInt32)
    /// A time so long after the sending.
    case after(TimeSpan)
  }

  package var recipient: Recipient
  package var payload: [UInt8]
  package var command: UInt8
  package var identifier: Identifier
  package var expiry: Expiry
  package var priority: UInt8?
  package var count: Int

  /// The frames as they go over the wire.
  /// - Parameters:
  ///   - token: the recipient's token.
  ///   - place: of the first one on its connection, from 1.
  package func frames(token: [UInt8], place: Int, at now: Timestamp) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<max(0, count) {
      let frame = NotificationFrame(
        command: command,
        identifier: identifier(index: index, place: place),
        expiry: expirySeconds(at: now),
        priority: priority,
        token: token,
        payload: payload
      )
      frame.encode(into: &bytes)
    }
    return bytes
  }

  private func identifier(index: Int, place: Int) -> NotificationIdentifier? {
    switch identifier {
    case .place: NotificationIdentifier(rawValue: UInt32(truncatingIfNeeded: place &+ index))
    case .none: nil
    case .from(let first): NotificationIdentifier(rawValue: first &+ UInt32(truncatingIfNeeded: index))
    }
  }

  private func expirySeconds(at now: Timestamp) -> UInt32? {
    switch expiry {
    case .none: nil
    case .at(let seconds): seconds
    case .after(let span): Self.latest((now + span).seconds)
    }
  }

  /// Clamps a time beyond four bytes to 2038, the latest that every edition reads as the future, since the guide's
  /// field is signed.
  private static func latest(_ seconds: Int64) -> UInt32 {
    seconds > Int64(UInt32.max) ? UInt32(Int32.max) : UInt32(clamping: seconds)
  }
}
