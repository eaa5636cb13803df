import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim feedback clear`: empties the lists, as if they had been read.
struct FeedbackClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Clear the feedback list of one app, or all lists."
  )

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in every environment), TOPIC:production or TOPIC:sandbox; all lists if omitted."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app?.refuseToken("--app") }

  func run() async throws {
    var request = ControlRequest(.delete, "feedback")
    if let app {
      request.query.append(("topic", app.topic))
      if let environment = app.environment { request.query.append(("environment", environment.rawValue)) }
    }
    let answer = try await control.client().json(request)
    output.confirm(
      answer,
      app.map { "the feedback list of \($0.place) is empty" } ?? "the feedback lists are empty"
    )
  }
}
