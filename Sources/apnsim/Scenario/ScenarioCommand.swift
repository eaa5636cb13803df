import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import ArgumentParser

/// `apnsim scenario …`: situations in files, checked, run, listed, and given to a running server.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Check, run and list scenario files; load one into a running server; print their schema.",
    subcommands: [
      ScenarioCheckCommand.self, ScenarioRunCommand.self, ScenarioListCommand.self, ScenarioLoadCommand.self,
      ScenarioShowCommand.self, ScenarioSchemaCommand.self,
    ]
  )
}

/// `apnsim scenario show`: what a running server started from.
struct ScenarioShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the scenario of a running server, as JSON that \"serve --scenario\" reads.",
    discussion: "With --json, on one line."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "scenario"))
    output.show(answer) { _ in PrettyJSON.lines(answer) }
  }
}

/// `apnsim scenario load FILE`: another situation for a running server.
struct ScenarioLoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load a scenario file into a running server.",
    discussion: """
      Replaces everything: devices, feedback, rules, clock and history. Providers' connections stay open; devices \
      are told to reconnect. Settings, clock and seed come from the file; whatever it omits is as at the server's \
      start. The file's traffic and expectations are for "scenario run".
      """
  )

  @Argument(
    help: "The scenario, YAML or JSON, or the name of one that ships; - for stdin.",
    completion: .file(extensions: ["yaml", "yml", "json"])
  )
  var file: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let file = ShippedScenarios.file(file)
    let text = try DocumentFile.text(of: file)
    let name = DocumentFile.name(of: file)
    // Read here first: errors have the file's name, line and column.
    let script = try ScenarioFile.script(text, name: name, serverSettings: ServerSetting.all.map(\.name))
    var request = ControlRequest(.put, "scenario")
    request.body = ControlRequest.Body(bytes: Array(text.utf8), type: "application/yaml")
    let answer = try await control.client().json(request)
    let title = script.scenario.name
    output.confirm(answer, title.isEmpty ? "loaded \(name)" : "loaded \(name): \(title)")
  }
}
