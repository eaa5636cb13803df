import APNSimWire
import ArgumentParser

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
