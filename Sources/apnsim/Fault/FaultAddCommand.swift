import APNSimScenario
import APNSimWire
import ArgumentParser

/// `apnsim fault add`: a rule for a running server, before those that it has.
struct FaultAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make something go wrong: add a rule, as in a scenario file or from flags.",
    discussion: """
      apnsim fault add --nth 3 --status 8
      apnsim fault add --topic com.example.app --reason TooManyRequests --times 5
      apnsim fault add 'when: {nth: 3}, reply: {status: 8, afterFrames: 20}, times: 1'
      apnsim fault add --name slow --fault latency=200ms
      apnsim fault add --connection 2 --fault 'reset={afterBytes: 40}' --times 1

      The first rule that matches decides; an added rule comes before the existing ones. Prints its id, for \
      "apnsim fault remove".
      """
  )

  @Argument(help: ArgumentHelp("The rule, in the syntax of \"rules\" in a scenario file.", valueName: "rule"))
  var rule: String?

  @OptionGroup(title: "As flags") var flags: FaultFlags
  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    switch (rule, flags.text) {
    case (nil, nil): throw ValidationError("expected a rule, or flags such as --nth 3 --status 8")
    case (.some, .some): throw ValidationError("give the rule as text or as flags, not both")
    default: break
    }
  }

  func run() async throws {
    let json = try RuleText.json(rule ?? flags.text ?? "")
    let answer = try await control.client().json(ControlRequest(.post, "faults").with(json))
    output.show(answer) { _ in [answer.text("id")] }
  }
}
