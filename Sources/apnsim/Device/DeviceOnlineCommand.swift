import ArgumentParser

/// `apnsim device online NAME`: the network is back, and what was stored is delivered.
struct DeviceOnlineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "online",
    abstract: "Bring a device online; what was stored for it is delivered."
  )

  @OptionGroup var target: DeviceNameOptions

  func run() async throws { try await target.bring("online") }
}
