/// The status byte of an error response: why the gateway refused a notification.
///
/// An open set, not an enum, because it is read from and written to the wire: a script may send 99 and a capture
/// may hold a code that Apple never documented.
///
/// Source: codes 0 to 8 and 255 are Table 5-1 of the Local and Push Notification Programming Guide (2011-08-09);
/// 10 and 128 are Table A-2 of the Binary Provider API (2018).
public struct StatusCode: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// In the table but never seen on the wire: success is silence.
  public static let noErrorsEncountered = StatusCode(rawValue: 0)
  public static let processingError = StatusCode(rawValue: 1)
  public static let missingDeviceToken = StatusCode(rawValue: 2)
  public static let missingTopic = StatusCode(rawValue: 3)
  public static let missingPayload = StatusCode(rawValue: 4)
  public static let invalidTokenSize = StatusCode(rawValue: 5)
  public static let invalidTopicSize = StatusCode(rawValue: 6)
  public static let invalidPayloadSize = StatusCode(rawValue: 7)
  public static let invalidToken = StatusCode(rawValue: 8)
  /// The gateway is closing for maintenance. The identifier beside it is the last notification that was sent
  /// successfully; everything written after that one has to be sent again.
  public static let shutdown = StatusCode(rawValue: 10)
  /// The frame itself, rather than what it carries, could not be parsed.
  public static let protocolError = StatusCode(rawValue: 128)
  public static let unknown = StatusCode(rawValue: 255)

  /// Apple's wording of the table, or "Status 99" for a code outside it.
  public var name: String {
    switch self {
    case .noErrorsEncountered: "No errors encountered"
    case .processingError: "Processing error"
    case .missingDeviceToken: "Missing device token"
    case .missingTopic: "Missing topic"
    case .missingPayload: "Missing payload"
    case .invalidTokenSize: "Invalid token size"
    case .invalidTopicSize: "Invalid topic size"
    case .invalidPayloadSize: "Invalid payload size"
    case .invalidToken: "Invalid token"
    case .shutdown: "Shutdown"
    case .protocolError: "Protocol error (APNs could not parse the notification)"
    case .unknown: "None (unknown)"
    default: "Status \(rawValue)"
    }
  }
}

extension StatusCode: CustomStringConvertible {
  public var description: String { name }
}
