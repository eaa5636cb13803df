import APNSimWire
import ArgumentParser

/// `apnsim device inbox NAME`: what a device was delivered, as its user saw it.
struct DeviceInboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Show what a device received, as its user saw it: alert, title, buttons, badge, sound.",
    discussion: """
      In the order of delivery, oldest first. --stored shows instead what is stored for it while it is offline: at \
      most one notification for each app, the last.
      """
  )

  @Flag(help: "Show what is stored for the device instead.") var stored = false

  @OptionGroup var target: DeviceNameOptions

  func run() async throws {
    let list = stored ? "stored" : "inbox"
    let request = ControlRequest(.get, "devices", target.device, list)
    let answer = try await target.control.client().pages(request, of: "notifications")
    target.output.show(answer) { style in
      let notifications = answer.member("notifications")?.arrayValue ?? []
      guard !notifications.isEmpty else {
        return [stored ? "nothing is stored for \(target.device)" : "the inbox of \(target.device) is empty"]
      }
      return notifications.flatMap { NotificationScreen.lines($0, style) }
    }
  }
}
