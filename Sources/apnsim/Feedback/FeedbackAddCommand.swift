import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim feedback add TOKEN --app TOPIC`: a tuple for whoever reads next.
struct FeedbackAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Put a device token on a feedback list.",
    discussion: """
      apnsim feedback add bb… --app com.example.app
      apnsim feedback add bob --app com.example.app:sandbox --at 2012-05-31T12:00:00Z
      """
  )

  @Argument(help: "The token as 64 or more hex digits, or a device's name.") var token: String

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in the server's first environment), or TOPIC:sandbox."
  )
  var app: AppArgument

  @Option(
    help: ArgumentHelp(
      "When the device reported the app as removed: a time, or seconds since 1970 (default: now).",
      valueName: "time"
    )
  )
  var at: String?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app.refuseToken("--app") }

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.post, "feedback").with(body))
    output.confirm(answer, "\(token) is on the feedback list of \(app.place)")
  }

  private var body: JSONValue {
    // A device's name may consist of hex digits as well, though not of 64.
    let isToken = Hex.decode(token).map { $0.count >= 32 } ?? false
    let number = at.flatMap { Int64($0) }.map { JSONValue.number("\($0)") }
    return .object([
      "topic": .string(app.topic),
      "environment": app.environment.map { .string($0.rawValue) },
      "token": isToken ? .string(token.lowercased()) : nil,
      "device": isToken ? nil : .string(token),
      "timestamp": number,
      "at": number == nil ? at.map { .string($0) } : nil,
    ])
  }
}
