import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim device add NAME --app TOPIC`: a device of a running server, made or made anew.
struct DeviceAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a device with its apps, and print their tokens.",
    discussion: """
      apnsim device add bob --app com.example.app
      TOKEN=$(apnsim device add bob --app com.example.app --quiet)
      apnsim device add carol --offline --app com.example.app:sandbox=bb… (64 hex digits)

      An app without a token gets one that the simulator issues. An existing device of that name is changed to \
      match: its other apps are removed, with what was delivered to them and what was stored for them.
      """
  )

  @Argument(help: "The device's name.") var name: String

  @Option(
    name: .customLong("app"),
    help: "An app of the device, as TOPIC, TOPIC:sandbox or TOPIC=TOKEN. Repeatable."
  )
  var apps: [AppArgument] = []

  @Flag(help: "Add the device offline.") var offline = false
  @Flag(help: "Add the apps as removed: what is sent to them puts their tokens on the feedback list.")
  var uninstalled = false

  @Flag(name: .shortAndLong, help: "Print only the tokens, one per line, in the order of the apps.")
  var quiet = false

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !quiet || !output.isJSON else { throw ValidationError("--quiet and --json are mutually exclusive") }
  }

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.put, "devices", name).with(body))
    let apps = answer.member("apps")?.arrayValue ?? []
    output.show(answer) { quiet ? apps.map { $0.text("token") } : DeviceTable.lines(answer, style: $0) }
  }

  private var body: JSONValue {
    .object([
      "online": .bool(!offline),
      "apps": .array(
        apps.map { .object($0.members + [JSONValue.Member(key: "installed", value: .bool(!uninstalled))]) }
      ),
    ])
  }
}
