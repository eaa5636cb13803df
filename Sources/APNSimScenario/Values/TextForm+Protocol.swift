import APNSimCore
import APNSimWire

/// The forms of the protocol's values.
extension TextForm {
  private static let digits = "(?:[0-9A-Fa-f]{2})"
  private static let requestDigits = "^([0-9a-fA-F]{2})+$"

  /// A token's bytes in hex digits.
  static func token(_ sizes: ClosedRange<Int>, name: String) -> TextForm {
    TextForm(
      name,
      "a token of \(sizes.lowerBound) to \(sizes.upperBound) bytes in hex digits, two for each",
      // A larger count than 1,000 is more than some readers of patterns take.
      pattern: digits
        + (sizes.upperBound > 1000
          ? sizes.lowerBound == 0 ? "*" : "+" : "{\(sizes.lowerBound),\(sizes.upperBound)}"),
      numbers: .any,
      request: InRequest(
        pattern: requestDigits,
        lengths: 2 * sizes.lowerBound...2 * sizes.upperBound
      )
    )
  }

  static let deviceToken = TextForm(
    "deviceToken",
    "a device token of 1 to 100 bytes in hex digits, or issued for one that the simulator makes",
    pattern: "(?:issued|\(digits){1,100})",
    numbers: .any,
    examples: ["issued"],
    request: InRequest(pattern: requestDigits, lengths: 2...200, word: "issued")
  )

  static let anyToken = token(0...100, name: "anyToken")
  static let activityToken = token(1...100, name: "activityToken")
  static let feedbackToken = token(1...65_535, name: "feedbackToken")

  static let bytes = TextForm(
    "bytes",
    "bytes in hex digits, two for each, with spaces between them",
    pattern: "(?:\\s*[0-9A-Fa-f]\\s*[0-9A-Fa-f])*\\s*",
    numbers: .whole("10", "9223372036854775807")
  )

  static let identifier = TextForm(
    "identifier",
    "an identifier as 8 hex digits or as a number, such as 00000003 or 3",
    pattern: "(?:[0-9A-Fa-f]{8}|\\+?[0-9]{1,10})",
    numbers: .whole("0", "\(UInt32.max)"),
    examples: ["00000003"],
    request: InRequest(takesNumbers: true)
  )

  static let identifierDigits = TextForm(
    "identifierDigits",
    "an identifier as 8 hex digits",
    pattern: "[0-9A-Fa-f]{8}",
    numbers: .whole("10000000", "99999999")
  )

  /// A topic has no white space and no control characters.
  static let topic = TextForm(
    "topic",
    AppKey.expectedTopic,
    pattern: "[^\\s\\x00-\\x1F]{1,255}",
    numbers: .literals,
    examples: ["com.example.app"],
    request: InRequest(lengths: 1...255)
  )

  static let channel = TextForm(
    "channelIdentifier",
    "a channel's identifier in Base64, such as tvI2UK0vEfEAAA6GFnjo2Q==",
    pattern:
      "(?=.{1,\(RequestJudge.channelIdLimit)}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
    numbers: .literals,
    request: InRequest(lengths: 4...RequestJudge.channelIdLimit)
  )

  static let connection = TextForm("connection", "a connection, such as c3", pattern: "c[0-9]+")

  static let deviceName = TextForm(
    "deviceName",
    "a device name of 1 to 255 bytes",
    pattern: "[\\s\\S]{1,255}"
  )

  /// A token of RFC 9110 (5.6.2) without capital letters.
  static let headerName = TextForm(
    "headerName",
    "the name of a header in lower case",
    pattern: "[a-z0-9!#$%&'*+.^_`|~-]{1,256}"
  )
}

extension ValueKind {
  static let topic = ValueKind.form(.topic)
  static let environment = ValueKind.choice(of: PushEnvironment.self)
  /// A name that the file gives to a device.
  static let device = ValueKind.text

  /// A status of the binary interface, or one up to 599 of either.
  static func status(upTo highest: Int) -> ValueKind {
    .named(
      highest > 255 ? "anyStatus" : "status",
      highest > 255
        ? "A status as a number or by Apple's name: to 255 the binary interface's, above it HTTP/2's."
        : "A status as a number or by Apple's name.",
      .either([.integer(0...highest), .choice(StatusName.all), .form(StatusName.form)])
    )
  }
}
