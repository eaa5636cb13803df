import ArgumentParser

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
