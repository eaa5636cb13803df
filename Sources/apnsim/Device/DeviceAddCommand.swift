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

      An app without a token gets one that the simulator issues. A device of that name that is there already becomes \
      what this says: apps that it had besides are gone, with what they got and what waited for them.
      """
  )

  @Argument(help: "Its name.") var name: String

  @Option(
    name: .customLong("app"),
    help: "An app on it, as TOPIC, TOPIC:sandbox or TOPIC=TOKEN. Repeatable."
  )
  var apps: [AppArgument] = []

  @Flag(help: "It begins offline.") var offline = false
  @Flag(help: "Its apps were removed: what is sent to them ends in the feedback list.") var uninstalled =
    false

  @Flag(name: .shortAndLong, help: "Print the tokens and nothing else, one a line, in the order of the apps.")
  var quiet = false

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !quiet || !output.isJSON else { throw ValidationError("it is either --quiet or --json") }
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
