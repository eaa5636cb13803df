import APNSimWire

/// Apple's names of status codes, as people write them: `Invalid token`, also `invalidToken` and `invalid-token`.
enum StatusName {
  static var all: [String] { statuses.map(\.name) }

  static func status(_ name: String) -> StatusCode? {
    statuses.first { folded($0.name) == folded(name) }?.status
  }

  private static let statuses: [(name: String, status: StatusCode)] = [
    ("No errors encountered", .noErrorsEncountered), ("Processing error", .processingError),
    ("Missing device token", .missingDeviceToken), ("Missing topic", .missingTopic),
    ("Missing payload", .missingPayload), ("Invalid token size", .invalidTokenSize),
    ("Invalid topic size", .invalidTopicSize), ("Invalid payload size", .invalidPayloadSize),
    ("Invalid token", .invalidToken), ("Shutdown", .shutdown), ("Protocol error", .protocolError),
    ("None (unknown)", .unknown), ("Unknown", .unknown),
  ]

  private static func folded(_ name: String) -> String {
    name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }
}
