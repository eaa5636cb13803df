import APNSimCore
import APNSimWire
import ArgumentParser

/// Which app of a device is meant.
struct InstallOptions: ParsableArguments {
  @Argument(help: "The device's name, or one of its tokens.") var device: String

  @Argument(
    help:
      "The app: TOPIC (wherever the device has it), TOPIC:production or TOPIC:sandbox; all apps of the device if omitted."
  )
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
        "token": app?.token.map { .string(Hex.encode($0)) },
      ])
    )
    return try await control.client().json(request)
  }

  var subject: String { app.map { "\($0.place) on \(device)" } ?? "every app of \(device)" }
}
