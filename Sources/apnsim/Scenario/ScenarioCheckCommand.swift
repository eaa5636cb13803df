import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import ArgumentParser

/// `apnsim scenario check FILE…`: says what files contain, or everything that is wrong with them.
struct ScenarioCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check scenario files: show what they contain, or what is wrong and where."
  )

  @Argument(
    help: "The scenarios, YAML or JSON, or names of some that ship; - for stdin.",
    completion: .file(extensions: ["yaml", "yml", "json"])
  )
  var files: [String]

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard files.count(where: { $0 == "-" }) < 2 else { throw ValidationError("stdin can be read only once") }
  }

  func run() throws {
    var failures: [CommandFailure] = []
    for file in files {
      do {
        try check(ShippedScenarios.file(file))
      } catch {
        failures.append(CommandFailure(any: error))
        failures.last?.report()
      }
    }
    if let worst = failures.map(\.status).max(by: { $0.rawValue < $1.rawValue }) {
      throw CommandFailure.quiet(worst)
    }
  }

  private func check(_ file: String) throws {
    let name = DocumentFile.name(of: file)
    let script = try ScenarioFile.loadScript(file, serverSettings: ServerSetting.all.map(\.name))
    do {
      // Finds mistakes between the parts, such as a token that two devices have, or an app too many.
      _ = try ScenarioRunner(script)
    } catch {
      throw CommandFailure(.badConfiguration, "\(name): the scenario cannot be set up: \(error)")
    }
    let contents = ScenarioContents(script)
    if output.isJSON { try JSONLine.print(contents) } else { Output.line("\(name): \(contents.text)") }
  }
}

/// The contents of a scenario, counted.
struct ScenarioContents: Encodable, Equatable {
  var name: String
  var description: String
  var apps: Int
  var devices: Int
  var feedback: Int
  var rules: Int
  var timeline: Int
  var traffic: Int
  var expectations: Int

  init(_ script: ScenarioScript) {
    let scenario = script.scenario
    name = scenario.name
    description = script.summary
    apps = scenario.apps.count
    devices = scenario.devices.count
    feedback = scenario.feedback.count
    rules = scenario.rules.count
    timeline = scenario.timeline.count { if case .perform = $0.action { true } else { false } }
    traffic = script.traffic.count
    expectations = script.checks.count + scenario.timeline.count - timeline
  }

  /// `valid: 1 app, 3 devices, 2 rules`
  var text: String {
    let parts = [
      (apps, "app"), (devices, "device"), (feedback, "feedback tuple"), (rules, "rule"),
      (timeline, "timeline action"), (traffic, "traffic step"), (expectations, "expectation"),
    ].filter { $0.0 > 0 }.map { Number.counted($0.0, $0.1) }
    return "valid: " + (parts.isEmpty ? "settings only" : parts.joined(separator: ", "))
  }
}
