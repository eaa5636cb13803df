import ArgumentParser

/// `apnsim device …`: virtual devices.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Show and control the devices of a running server, or act as one.",
    subcommands: [
      DeviceListCommand.self, DeviceAddCommand.self, DeviceOnlineCommand.self, DeviceOfflineCommand.self,
      DeviceInstallCommand.self, DeviceUninstallCommand.self, DeviceRemoveCommand.self,
      DeviceInboxCommand.self, DeviceConnectCommand.self,
    ]
  )
}
