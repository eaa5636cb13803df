import APNSimCore
import APNSimWire
import ArgumentParser

/// Which app of a device is meant.
struct InstallOptions: ParsableArguments {
  @Argument(help: "Its name, or one of its tokens.") var device: String

  @Argument(help: "The app's topic, or TOPIC:sandbox; all its apps when absent.")
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Says it to the server.
  func perform(_ action: String) async throws -> JSONValue {
    var request = ControlRequest(.post, "devices", device, action)
    request = request.with(
      .object([
        "topic": app.map { .string($0.topic) },
        "environment": app?.environment.map { .string($0.rawValue) },
      ])
    )
    return try await control.client().json(request)
  }

  var subject: String { app.map { "\($0.topic) on \(device)" } ?? "every app of \(device)" }
}
