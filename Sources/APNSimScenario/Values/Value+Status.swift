import APNSimCore
import APNSimWire

extension Value {
  /// A status: a number from 0 to 255, or Apple's name of it (`Invalid token`, also as `invalidToken`).
  /// - Parameter reasons: what may stand here instead, for errors.
  func status(orReason reasons: [String] = []) -> StatusCode? {
    if let number = scalar.flatMap({ Int($0) }) {
      guard let byte = UInt8(exactly: number) else {
        mismatch("a status from 0 to 255 (the error response has one byte for it)")
        return nil
      }
      return StatusCode(rawValue: byte)
    }
    guard let text = text("a status as a number or by Apple's name, such as 8 or \"Invalid token\"") else {
      return nil
    }
    guard let status = StatusName.status(text) else {
      mismatch(
        "a status as a number or by Apple's name (\(Enumeration.of(StatusName.all)))"
          + (reasons.isEmpty ? "" : ", or a reason such as TooManyRequests"),
        suggestion: NearestName.find(text, among: StatusName.all + reasons)
      )
      return nil
    }
    return status
  }

  /// Four bytes of an identifier: eight hex digits as answers show them, or a smaller number.
  func identifier() -> NotificationIdentifier? {
    if let text = scalar {
      if let identifier = NotificationIdentifier(hex: text) { return identifier }
      if let number = UInt32(text) { return NotificationIdentifier(rawValue: number) }
    }
    mismatch("an identifier as 8 hex digits or as a number, such as 00000003 or 3")
    return nil
  }

  /// Bytes as hex digits; spaces between them are for the reader.
  func hexBytes(_ subject: String) -> [UInt8]? {
    guard let text = text("\(subject) in hex digits") else { return nil }
    guard let bytes = Hex.decode(text.filter { !$0.isWhitespace }) else {
      mismatch("\(subject) as an even number of hex digits")
      return nil
    }
    return bytes
  }
}

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

  /// Any spelling of a name.
  static let form = TextForm(
    "statusName",
    "Apple's name of a status, such as \"Invalid token\" or invalidToken",
    pattern: "(?:"
      + all.map { name in
        name.unicodeScalars.map { scalar in
          let letter = scalar.properties
          if scalar == " " { return "[ _-]*" }
          return letter.isAlphabetic
            ? "[\(letter.uppercaseMapping)\(letter.lowercaseMapping)]" : "\\\(scalar)"
        }.joined()
      }.joined(separator: "|") + ")"
  )

  private static func folded(_ name: String) -> String {
    name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }
}
