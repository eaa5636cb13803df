import ArgumentParser

/// `apnsim device offline NAME`: the last notification per app waits from now on.
struct DeviceOfflineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offline",
    abstract: "Take a device offline; the last notification for each app is stored for it."
  )

  @OptionGroup var target: DeviceNameOptions

  func run() async throws { try await target.bring("offline") }
}
