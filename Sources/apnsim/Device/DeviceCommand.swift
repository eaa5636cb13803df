import APNSimWire
import ArgumentParser

/// `apnsim device …`: virtual devices.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Show and control the devices of a running server, or act as one.",
    subcommands: [
      DeviceListCommand.self, DeviceAddCommand.self, DeviceOnlineCommand.self, DeviceOfflineCommand.self,
      DeviceInstallCommand.self, DeviceUninstallCommand.self, DeviceRotateCommand.self,
      DeviceRemoveCommand.self,
      DeviceInboxCommand.self, DeviceConnectCommand.self,
    ]
  )
}

/// The device as an argument, and its server.
struct DeviceNameOptions: ParsableArguments {
  @Argument(help: "The device's name, or one of its tokens.") var device: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Puts the device `online` or `offline`.
  func bring(_ state: String) async throws {
    let answer = try await control.client().json(ControlRequest(.post, "devices", device, state))
    output.confirm(answer, "\(device) is \(state)")
  }
}

/// `apnsim device list`: every device of a running server.
struct DeviceListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the devices of a running server with their apps and tokens."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "devices"))
    output.show(answer) { DeviceTable.lines(answer, style: $0) }
  }
}

/// `apnsim device online NAME`: the network is back, and what was stored is delivered.
struct DeviceOnlineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "online",
    abstract: "Bring a device online; what was stored for it is delivered."
  )

  @OptionGroup var target: DeviceNameOptions

  func run() async throws { try await target.bring("online") }
}

/// `apnsim device offline NAME`: the last notification per app waits from now on.
struct DeviceOfflineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offline",
    abstract: "Take a device offline; the last notification for each app is stored for it."
  )

  @OptionGroup var target: DeviceNameOptions

  func run() async throws { try await target.bring("offline") }
}

/// `apnsim device remove NAME`: there is no such device any more.
struct DeviceRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a device with its inbox and what was stored for it."
  )

  @OptionGroup var target: DeviceNameOptions

  func run() async throws {
    let answer = try await target.control.client().json(ControlRequest(.delete, "devices", target.device))
    target.output.confirm(answer, "removed \(target.device)")
  }
}

/// `apnsim device inbox NAME`: what a device was delivered, as its user saw it.
struct DeviceInboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Show what a device received, as its user saw it: alert, title, buttons, badge, sound.",
    discussion: """
      In the order of delivery, oldest first; then the Live Activities with what a person sees of them, and pushes for \
      them that showed nothing. --stored shows instead what is stored for it while it is offline: at \
      most one notification for each app, the last.
      """
  )

  @Flag(help: "Show what is stored for the device instead.") var stored = false

  @Flag(help: "Show what is on the screen: without what later notifications replaced.") var shown = false

  @OptionGroup var target: DeviceNameOptions

  func validate() throws {
    if stored, shown {
      throw ValidationError("--shown is of what was delivered, --stored of what was not: choose one")
    }
  }

  func run() async throws {
    let list = stored ? "stored" : "inbox"
    var request = ControlRequest(.get, "devices", target.device, list)
    if shown { request.query = [("shown", "true")] }
    let client = try target.control.client()
    var answer = try await client.pages(request, of: "notifications")
    if !stored {
      let shown = try await client.json(ControlRequest(.get, "devices", target.device, "activities"))
      answer = .object((answer.objectValue ?? []) + (shown.objectValue ?? []))
    }
    target.output.show(answer) { style in
      let notifications = answer.member("notifications")?.arrayValue ?? []
      let activities = ActivityScreen.lines(answer, style)
      guard !notifications.isEmpty || !activities.isEmpty else {
        return [stored ? "nothing is stored for \(target.device)" : "the inbox of \(target.device) is empty"]
      }
      return notifications.flatMap { NotificationScreen.lines($0, style) } + activities
    }
  }
}
