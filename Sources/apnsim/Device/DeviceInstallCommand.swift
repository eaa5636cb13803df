import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim device install NAME [TOPIC]`: the app is back, with a later time of registration.
struct DeviceInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install or reinstall an app on a device.",
    discussion: """
      apnsim device install bob com.example.app
      apnsim device install bob com.example.app:sandbox=bb… (64 hex digits: the token to give it)
      """
  )

  @OptionGroup var target: InstallOptions

  func run() async throws {
    target.output.confirm(try await target.perform("install"), "\(target.subject): installed")
  }
}

/// `apnsim device uninstall NAME [TOPIC]`: what is sent to it from now on ends in the feedback list.
struct DeviceUninstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove an app from a device; what is sent to it then puts its token on the feedback list."
  )

  @OptionGroup var target: InstallOptions

  func validate() throws { try target.app?.refuseToken("uninstall") }

  func run() async throws {
    target.output.confirm(try await target.perform("uninstall"), "\(target.subject): removed")
  }
}

/// `apnsim device rotate NAME [--app TOPIC]`: another token, as after a restore; the one before is dead.
struct DeviceRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Give the apps of a device other tokens; what is sent to those before is answered 410.",
    discussion: """
      apnsim device rotate bob
      apnsim device rotate bob --app com.example.app:sandbox
      """
  )

  @Argument(help: "The device's name, or one of its tokens.") var device: String

  @Option(
    help:
      "The app: TOPIC (wherever the device has it), TOPIC:production or TOPIC:sandbox; all apps of the device if omitted."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app?.refuseToken("rotate") }

  func run() async throws {
    let request = ControlRequest(.post, "devices", device, "rotate").with(.object(app?.members ?? []))
    let subject = app.map { "\($0.place) on \(device)" } ?? "every app of \(device)"
    output.confirm(try await control.client().json(request), "\(subject): another token")
  }
}

/// The app of a device, as an argument, and the server.
struct InstallOptions: ParsableArguments {
  @Argument(help: "The device's name, or one of its tokens.") var device: String

  @Argument(
    help:
      "The app: TOPIC (wherever the device has it), TOPIC:production or TOPIC:sandbox; all apps of the device if omitted."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Sends the action to the server.
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
