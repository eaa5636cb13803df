import APNSimCore
import APNSimWire

/// The bounds of a file's traffic: all its items are kept in memory, and so is everything that one step sends.
struct TrafficRoom {
  /// The bytes of all items so far, and those that the present step sends.
  private var kept = 0
  private var sent = 0

  /// The limit of either, in bytes.
  private let most: Int

  init(most: Int = 256 << 20) { self.most = most }

  mutating func beginStep() { sent = 0 }

  /// Takes an item.
  /// - Returns: false where it exceeds the limit, which is reported once for a step and once for the file.
  mutating func take(_ piece: TrafficPiece, at item: Value) -> Bool {
    guard kept <= most, sent <= most else { return false }
    kept.add(saturating: piece.keptByteCount)
    sent.add(saturating: piece.sentByteCount)
    if sent > most {
      report(sent, "to be sent at once", "the step up to here", at: item)
    } else if kept > most {
      report(kept, "in the tokens and payloads of a file", "the file up to here", at: item)
    }
    return kept <= most && sent <= most
  }

  /// Takes an item of requests.
  mutating func take(_ request: TrafficRequest, at item: Value) -> Bool {
    guard kept <= most, sent <= most else { return false }
    let size =
      request.payload.count + request.headers.reduce(200) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    kept.add(saturating: size)
    sent.add(saturating: size * request.count)
    if sent > most {
      report(sent, "to be sent at once", "the step up to here", at: item)
    } else if kept > most {
      report(kept, "in the tokens and payloads of a file", "the file up to here", at: item)
    }
    return kept <= most && sent <= most
  }

  private func report(_ count: Int, _ what: String, _ place: String, at item: Value) {
    // Rounded up, so that what exceeds the limit never looks equal to it.
    let found = (count - 1) >> 20 + 1
    item.report("expected at most \(most >> 20) MiB \(what), found \(found) MiB in \(place)")
  }
}

extension TrafficPiece {
  /// The bytes that the piece takes in memory.
  fileprivate var keptByteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .notification(let notification): notification.tokenByteCount + notification.payload.count
    }
  }

  /// The bytes that the piece takes when it is sent.
  fileprivate var sentByteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .notification(let notification):
      notification.count
        * (TrafficNotification.mostAround + notification.tokenByteCount + notification.payload.count)
    }
  }
}

extension TrafficNotification {
  /// The most bytes of a frame around its token and payload: the header of command 2, five items and three values.
  fileprivate static let mostAround = 5 + 5 * 3 + 4 + 4 + 1

  /// The token's length; a device's token is known only when it is sent to, and counts as the longest.
  fileprivate var tokenByteCount: Int {
    if case .token(let token) = recipient { token.count } else { TokenSizes.maximum }
  }
}
