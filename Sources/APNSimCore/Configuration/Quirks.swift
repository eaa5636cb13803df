/// Behaviours the real service was seen to show, off unless asked for.
public struct Quirks: OptionSet, BitwiseCopyable, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let silentParseErrors = Quirks(rawValue: 1 << 0)
  public static let zeroIdOnMissingToken = Quirks(rawValue: 1 << 1)
  public static let resetAfterError = Quirks(rawValue: 1 << 2)
  public static let splitErrorPacket = Quirks(rawValue: 1 << 3)
  public static let enhanced2048 = Quirks(rawValue: 1 << 4)
  public static let feedbackHoldOpen = Quirks(rawValue: 1 << 5)
  public static let gluedClose = Quirks(rawValue: 1 << 6)
  public static let stickyServerError = Quirks(rawValue: 1 << 7)
  public static let silentStaleToken = Quirks(rawValue: 1 << 8)
  public static let backgroundPriority10 = Quirks(rawValue: 1 << 9)
  public static let backgroundNeedsPriority = Quirks(rawValue: 1 << 10)
  public static let documentedReasons = Quirks(rawValue: 1 << 11)
  public static let unknownChannelBad = Quirks(rawValue: 1 << 12)
  public static let contentTypeOnErrors = Quirks(rawValue: 1 << 13)
  public static let concurrencyDrop = Quirks(rawValue: 1 << 14)

  /// One quirk as people meet it: its name, what it does and where it was seen.
  public struct Description: Sendable {
    public let quirk: Quirks
    public let name: String
    public let effect: String
    public let seen: String
  }

  /// Every quirk, in the order `apnsim serve --help` lists them.
  public static let all: [Description] = [
    Description(
      quirk: .silentParseErrors,
      name: "silentParseErrors",
      effect: "an unknown command or a framing error closes the connection without an error response",
      seen: "Technical Note TN2265: \"zero bytes back … an invalid command byte or other parsing error\""
    ),
    Description(
      quirk: .zeroIdOnMissingToken,
      name: "zeroIdOnMissingToken",
      effect: "status 2 (missing device token) comes with identifier 0",
      seen: "the sandbox gateway in 2015 (pushy #149)"
    ),
    Description(
      quirk: .resetAfterError,
      name: "resetAfterError",
      effect: "the connection is reset right after the error response, which may be lost with it",
      seen: "node-apn #145, #183, #334; java-apns #360"
    ),
    Description(
      quirk: .splitErrorPacket,
      name: "splitErrorPacket",
      effect: "the error response arrives in two TLS records of 1 and 5 bytes",
      seen: "java-apns' own simulator warns of it; node-apn 1.x reads each chunk as a whole packet"
    ),
    Description(
      quirk: .enhanced2048,
      name: "enhanced2048",
      effect: "command 1 may carry payloads of up to 2,048 bytes",
      seen: "java-apns raised the limit of its command 1 in September 2014 (35e3f65)"
    ),
    Description(
      quirk: .feedbackHoldOpen,
      name: "feedbackHoldOpen",
      effect: "the feedback service keeps the connection open after the last tuple",
      seen: "pushy #12 and #15"
    ),
    Description(
      quirk: .gluedClose,
      name: "gluedClose",
      effect:
        "close_notify follows the error response at once, and some clients drop what comes with the end",
      seen: "Go's crypto/tls returns the six bytes and io.EOF from one Read"
    ),
    Description(
      quirk: .stickyServerError,
      name: "stickyServerError",
      effect:
        "after an hour without a request, or a stale provider token, every request is 500 until the provider reconnects",
      seen: "pushy #408 and #458, node-apn #463"
    ),
    Description(
      quirk: .silentStaleToken,
      name: "silentStaleToken",
      effect: "a request with a provider token older than an hour is never answered",
      seen: "clients that wait for good on an old connection (AndrewBarba/apns2 #97)"
    ),
    Description(
      quirk: .concurrencyDrop,
      name: "concurrencyDrop",
      effect: "after a request that is refused one stream at a time is allowed, until the next success",
      seen: "openradar 27870881, pushy #732"
    ),
    Description(
      quirk: .backgroundPriority10,
      name: "backgroundPriority10",
      effect: "a background push with priority 10 is accepted and dropped",
      seen: "node-apn #241 and #280"
    ),
    Description(
      quirk: .backgroundNeedsPriority,
      name: "backgroundNeedsPriority",
      effect: "a background push without a priority, which then is 10, is BadPriority",
      seen: "the documents: \"using priority 10 is an error\""
    ),
    Description(
      quirk: .documentedReasons,
      name: "documentedReasons",
      effect: "reasons are named as documented where the service sends another name",
      seen: "the documents: BadEnvironmentKeyIdInToken, FeatureNotEnabled"
    ),
    Description(
      quirk: .unknownChannelBad,
      name: "unknownChannelBad",
      effect: "every unknown channel is BadChannelId",
      seen: "a probe of the sandbox with identifiers that never existed"
    ),
    Description(
      quirk: .contentTypeOnErrors,
      name: "contentTypeOnErrors",
      effect: "errors have content-type: application/json",
      seen: "the documents' sample of an error"
    ),
  ]

  /// The quirk of that name, as the flag, the environment and files spell it.
  public init?(name: some StringProtocol) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found.quirk
  }

  /// The names of the quirks that are on, in the order of `all`.
  public var names: [String] { Self.all.filter { contains($0.quirk) }.map(\.name) }
}
