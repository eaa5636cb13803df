package import APNSimWire

/// The outcome of a notification.
public enum Outcome: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The device has it.
  case delivered
  /// The device is offline; it waits there as the last one of its app. Or it is under way to a device whose token
  /// lets it take its time.
  case stored
  /// It waited, and a newer one of the same app and device took its place.
  case replaced
  /// It was, or became, too old before the device came online.
  case expired
  /// The device is offline and the expiry is zero or negative: not to be stored at all.
  case notStored
  /// The device no longer has the app, which the feedback service lists; or it, or its app, was taken away while the
  /// notification waited.
  case refused
  /// The device could not read the payload.
  case dropped
  /// It was answered with an error, or with the closing of the connection.
  case rejected
  /// It was written after an error on its connection and never looked at.
  case discarded
  /// A request about channels, which the service did what it asks for; no notification.
  case performed

  /// The name of it in every answer and journal line.
  public var description: String { name.description }

  var name: StaticString {
    switch self {
    case .delivered: "delivered"
    case .stored: "stored"
    case .replaced: "replaced"
    case .expired: "expired"
    case .notStored: "notStored"
    case .refused: "refused"
    case .dropped: "dropped"
    case .rejected: "rejected"
    case .discarded: "discarded"
    case .performed: "performed"
    }
  }

  public init?(_ name: some StringProtocol) {
    guard let outcome = Self.allCases.first(where: { $0.description == name }) else { return nil }
    self = outcome
  }

  /// The gateway accepted the notification: everything but an error and what came after one.
  public var isAccepted: Bool { self != .rejected && self != .discarded }
}

extension Outcome: Kept {}

extension Outcome: JSONText {
  package static let facts: [JSONFact] = [.words(allCases.map(\.description))]
}
