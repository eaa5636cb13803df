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
