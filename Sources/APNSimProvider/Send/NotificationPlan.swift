package import APNSimWire

/// The notifications that `send` writes, by number; made one by one, so that a million need no memory.
package struct NotificationPlan: Sendable {
  package let count: Int
  /// The identifier of the first notification; the others count on from it.
  package let firstIdentifier: UInt32
  private let make: @Sendable (Int) -> NotificationFrame

  package init(count: Int, firstIdentifier: UInt32, make: @escaping @Sendable (Int) -> NotificationFrame) {
    self.count = count
    self.firstIdentifier = firstIdentifier
    self.make = make
  }

  /// Every payload to every token, over and over until there are `count`.
  package init(
    payloads: [[UInt8]],
    tokens: [[UInt8]],
    count: Int,
    template: NotificationFrame,
    firstIdentifier: UInt32
  ) {
    self.init(count: count, firstIdentifier: firstIdentifier) { index in
      var frame = template
      frame.token = tokens[index % tokens.count]
      frame.payload = payloads[index / tokens.count % payloads.count]
      return frame
    }
  }

  /// The notification of that number, from 0, with its identifier.
  package func frame(at index: Int) -> NotificationFrame {
    var frame = make(index)
    frame.identifier = identifier(at: index)
    return frame
  }

  package func identifier(at index: Int) -> NotificationIdentifier {
    NotificationIdentifier(rawValue: firstIdentifier &+ UInt32(truncatingIfNeeded: index))
  }

  /// The index of the notification that an error response names; nil for an identifier that none has.
  package func index(of identifier: NotificationIdentifier) -> Int? {
    let index = Int(identifier.rawValue &- firstIdentifier)
    return index < count ? index : nil
  }
}
