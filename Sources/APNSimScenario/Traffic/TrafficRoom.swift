internal import APNSimWire

/// How much the traffic of a file may be: what is read of it is kept, and what a step sends is there at once.
struct TrafficRoom {
  /// The bytes that all items have as they are read, and those that the present step sends.
  private var kept = 0
  private var sent = 0

  /// More would not be read by anybody.
  private let most: Int

  init(most: Int = 256 << 20) { self.most = most }

  mutating func beginStep() { sent = 0 }

  /// Takes an item.
  /// - Returns: false where it is too much, which is said once for a step and once for the file.
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

  private func report(_ count: Int, _ what: String, _ place: String, at item: Value) {
    // Rounded up: more than the most never looks like it.
    let found = (count - 1) >> 20 + 1
    item.report("expected at most \(most >> 20) MiB \(what), found \(found) MiB in \(place)")
  }
}

extension TrafficPiece {
  /// What the piece costs as it is read.
  fileprivate var keptByteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .notification(let notification): notification.tokenByteCount + notification.payload.count
    }
  }

  /// What it costs when it is sent.
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
  /// What a frame has around its token and its payload at most: the header of command 2, five items and three values.
  fileprivate static let mostAround = 5 + 5 * 3 + 4 + 4 + 1

  /// A device's is known when it is sent to.
  fileprivate var tokenByteCount: Int {
    if case .token(let token) = recipient { token.count } else { TokenSizes.maximum }
  }
}
