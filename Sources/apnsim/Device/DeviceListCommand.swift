import APNSimWire
import ArgumentParser

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
