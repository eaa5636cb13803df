import APNSimCore
import APNSimScenario
import APNSimSystem
import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `apnsim scenario list`: the scenarios that ship, with a line on each.
struct ScenarioListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the scenarios that ship with apnsim, or those in a directory.",
    discussion: """
      Every command that takes a scenario takes the name of one that ships for its file: apnsim scenario run \
      resend-after-error
      """
  )

  @Option(help: "The directory to list (default: the one that ships).", completion: .directory)
  var directory: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    guard let directory = directory ?? ShippedScenarios.directory() else {
      throw CommandFailure(
        .runtimeError,
        "no scenarios found: looked for \(ShippedScenarios.places) in and above "
          + ShippedScenarios.starts().map(\.path).joined(separator: " and "),
        hints: [
          "they ship with the source, in fixtures/scenarios: copy them to share/apnsim/scenarios in a "
            + "directory above the program's, or say where they are with --directory"
        ]
      )
    }
    let names: [String]
    do throws(SystemError) {
      names = try SystemFolder.names(in: directory)
    } catch {
      throw CommandFailure(.runtimeError, "\(directory): cannot be read: \(error.text)")
    }
    let files = names.filter { name in ShippedScenarios.endings.contains { name.hasSuffix($0) } }
    let items = files.map { ListedScenario(file: directory + "/" + $0) }
    if output.isJSON {
      for item in items { try JSONLine.print(item) }
    } else {
      if self.directory == nil { Output.line("in \(TerminalText.visible(directory)):") }
      Output.lines(
        Table.lines(
          items.map {
            [output.style.paint(TerminalText.visible($0.name), .bold), TerminalText.visible($0.description)]
          }
        )
      )
      if items.isEmpty { Output.note("no scenarios in \(directory)") }
    }
    if items.contains(where: { $0.error != nil }) { throw CommandFailure.quiet(.badConfiguration) }
  }
}

/// One file as the list shows it.
struct ListedScenario: Encodable {
  /// The file's name without its ending.
  var name: String
  var file: String
  /// The file's own line on itself, or its title.
  var description: String
  /// The error of a file that cannot be read.
  var error: String?

  init(file: String) {
    self.file = file
    name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    do throws(DocumentError) {
      let script = try ScenarioFile.loadScript(file)
      description = script.summary.isEmpty ? script.scenario.name : script.summary
    } catch {
      let problem = error.problems.first
      description = "is not readable: \(problem?.message ?? "")"
      self.error = error.description
    }
  }
}
