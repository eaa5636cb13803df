import APNSimCore
import APNSimScenario
import APNSimTLS
import APNSimWire
import ArgumentParser

/// The interface that `send` speaks.
enum SendInterface: String, ExpressibleByArgument, CaseIterable {
  case binary
  case http2
}

/// The options of `send --api http2`.
struct RequestOptions: ParsableArguments {
  @Option(
    name: .customLong("push-type"),
    help: ArgumentHelp(
      "With http2: apns-push-type, such as alert, background or voip (default: alert, or background for a payload that only has content-available).",
      valueName: "type"
    ),
    completion: .list(PushType.allCases.map(\.name))
  )
  var pushType: String?

  @Option(
    help: ArgumentHelp(
      """
      With http2: apns-topic (default: the file's bundle, else with a token com.example.app, with a certificate none; \
      then with the suffix of the push type). An empty one sends none.
      """,
      valueName: "topic"
    )
  )
  var topic: String?

  @Option(
    name: .customLong("collapse-id"),
    help: ArgumentHelp("With http2: apns-collapse-id.", valueName: "text")
  )
  var collapseID: String?

  @Option(help: ArgumentHelp("With http2: the apns-id of a single notification.", valueName: "uuid"))
  var id: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With http2: apns-expiration: seconds since 1970, 2026-06-01T00:00:00Z, or +1h from now; 0 is never stored.",
      valueName: "time"
    )
  )
  var expiration: SendExpiration?

  @Option(
    help: ArgumentHelp(
      "With http2: the provider token (default: one of now, made with AuthKey_APNSIMKEY1.p8 of --certs; --cert sends none).",
      valueName: "token"
    )
  )
  var jwt: String?

  @Option(
    help: ArgumentHelp(
      "With http2: over so many connections at once, which take turns (default: 1).",
      valueName: "number"
    )
  )
  var connections: Int?

  @Option(
    help: ArgumentHelp(
      "With http2: at most so many requests open at once on each connection (default: as the server allows, up to 1000).",
      valueName: "number"
    )
  )
  var streams: Int?

  /// The given options that shape a notification, or how they are sent.
  var shaping: [String] {
    let given = [
      ("--push-type", pushType != nil), ("--collapse-id", collapseID != nil), ("--id", id != nil),
      ("--expiration", expiration != nil), ("--connections", connections != nil),
      ("--streams", streams != nil),
    ]
    return given.filter { $0.1 }.map { $0.0 }
  }

  /// All given options.
  var all: [String] { shaping + (topic == nil ? [] : ["--topic"]) + (jwt == nil ? [] : ["--jwt"]) }

  func validate() throws {
    let texts = [
      ("--push-type", pushType), ("--topic", topic), ("--collapse-id", collapseID), ("--id", id),
      ("--jwt", jwt),
    ]
    for (name, text) in texts where text?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) == false {
      throw ValidationError("\(name): a header has visible ASCII characters only")
    }
    let given = texts.compactMap { name, text in text.map { (name: name, count: $0.utf8.count) } }
    if let longest = given.max(by: { $0.count < $1.count }),
      given.reduce(0, { $0 + $1.count }) > Self.mostHeaders
    {
      throw ValidationError(
        "\(longest.name) has \(Number.grouped(longest.count)) bytes: the headers of a request may have \(Number.grouped(Self.mostHeaders)) together"
      )
    }
    if let connections, !(1...1000).contains(connections) {
      throw ValidationError("--connections must be a number from 1 to 1000")
    }
    if let streams, !(1...10_000).contains(streams) {
      throw ValidationError("--streams must be a number from 1 to 10000")
    }
    if jwt?.isEmpty == true { throw ValidationError("--jwt is empty: is a variable unset?") }
  }

  /// The bytes of header values that are sent: no more than one frame takes, however they are compressed.
  private static let mostHeaders = 8000

  /// The fields of a push.
  /// - Parameters:
  ///   - token: the provider token; nil with a certificate.
  ///   - bundle: of the file.
  func fields(
    payload: [UInt8],
    bundle: String?,
    token: String?,
    priority: UInt8?
  ) -> [(name: String, value: String)] {
    let type = pushType ?? (Self.isBackground(payload) ? "background" : "alert")
    let suffix = PushType.allCases.first { $0.name == type }.map { "\($0.row.topicSuffix)" } ?? ""
    let usual = bundle ?? (token == nil ? nil : PKIDirectory.defaultTopic)
    let topic = self.topic ?? usual.map { $0.hasSuffix(suffix) ? $0 : $0 + suffix }
    // A background push of priority 10 is what Apple's documents forbid.
    let level = priority ?? (type == "background" ? 5 : nil)
    let fields: [(String, String?)] = [
      ("authorization", token.map { "bearer \($0)" }), ("apns-topic", topic?.isEmpty == true ? nil : topic),
      ("apns-push-type", type.isEmpty ? nil : type), ("apns-priority", level.map { "\($0)" }),
      ("apns-expiration", expiration.map { "\($0.seconds)" }), ("apns-collapse-id", collapseID),
      ("apns-id", id),
    ]
    return fields.compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// True for a payload that wakes its app and shows nothing.
  private static func isBackground(_ payload: [UInt8]) -> Bool {
    guard case .object(let members)? = try? JSONValue.parse(payload),
      case .object(let aps)? = members.last(where: { $0.key == "aps" })?.value
    else { return false }
    let keys = aps.map(\.key)
    return keys.contains("content-available") && !keys.contains { ["alert", "badge", "sound"].contains($0) }
  }
}

/// `apns-expiration` on the command line, in seconds since 1970.
struct SendExpiration: ExpressibleByArgument, Equatable {
  var seconds: Int64

  init?(argument: String) {
    let moment: Int64?
    if argument.hasPrefix("+") {
      let now = Timestamp(seconds: Timestamp.now.seconds)
      moment = TimeSpan(argument.dropFirst()).map { (now + $0).seconds }
    } else {
      moment = Int64(argument) ?? Timestamp(argument)?.seconds
    }
    guard let moment else { return nil }
    seconds = moment
  }
}
