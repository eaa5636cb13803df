import APNSimScenario
import ArgumentParser

/// `apnsim scenario schema`: what a scenario file may have, for editors.
struct ScenarioSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files, by which editors complete and check.",
    discussion: """
      For an editor with the YAML language server (VS Code and others), keep it beside your scenarios and begin each \
      with the line

        # yaml-language-server: $schema=scenario-1.json

      A running server has it at /api/v1/scenario/schema. It sees one value at a time and what stands beside it; \
      "scenario check" also sees what refers to what.
      """
  )

  func run() { Output.json(Array(ScenarioSchema.text.utf8)) }
}
