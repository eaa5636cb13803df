import ArgumentParser

/// `apnsim fault list`: the rules in the order they are tried, and how often each fired.
struct FaultListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the rules of a running server in the order they are tried, and how often each fired."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "faults"))
    output.show(answer) { FaultTable.lines(answer, $0) }
  }
}
