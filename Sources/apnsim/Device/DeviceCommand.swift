import ArgumentParser

/// `apnsim device …`: virtual devices.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Be a device.",
    subcommands: [DeviceConnectCommand.self]
  )
}
