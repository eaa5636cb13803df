import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim clock …`: the time that a running server goes by.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "Show and move the clock of a running server.",
    discussion: """
      One clock drives expiry, storage, feedback timestamps, timelines and delays. Everything that falls due when \
      the clock moves happens, in order, before the command returns.
      """,
    subcommands: [
      ClockShowCommand.self, ClockAdvanceCommand.self, ClockSetCommand.self, ClockFreezeCommand.self,
      ClockResumeCommand.self,
    ],
    defaultSubcommand: ClockShowCommand.self
  )
}

/// The options of every clock command, and the form of their answers.
struct ClockOptions: ParsableArguments {
  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Sends the request, and prints the time after it.
  func run(_ request: ControlRequest) async throws {
    let client = try control.client()
    var answer = try await client.json(request)
    if answer.objectValue == nil { answer = try await client.json(ControlRequest(.get, "clock")) }
    output.show(answer) { [Self.line(answer, $0)] }
  }

  /// `2012-06-01T02:00:00.000Z  virtual, stopped`, `2026-06-01T02:00:00.000Z  real, running, moved by 28d`
  static func line(_ clock: JSONValue, _ style: Style) -> String {
    let state = clock.member("running")?.boolValue == false ? "stopped" : "running"
    let moved = clock.member("moved")?.stringValue.map { ", moved by \($0)" } ?? ""
    return "\(clock.text("now"))  " + style.paint("\(clock.text("mode")), \(state)\(moved)", .dim)
  }
}

/// `apnsim clock show`
struct ClockShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the simulated time (the default)."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.get, "clock")) }
}

/// `apnsim clock advance 2h`
struct ClockAdvanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advance",
    abstract: "Move the clock forward: 90s, 10m, 2h, 28d, 1h30m."
  )

  @Argument(help: ArgumentHelp("The duration.", valueName: "duration")) var span: String

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    guard let time = TimeSpan(span), time >= .zero else {
      throw ValidationError("expected a duration such as 90s, 10m, 2h or 28d, found \"\(span)\"")
    }
  }

  func run() async throws {
    try await clock.run(ControlRequest(.post, "clock", "advance").with(.object(["by": .string(span)])))
  }
}

/// `apnsim clock set 2012-06-01T00:00:00Z`
struct ClockSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the clock to a later or an earlier time.",
    discussion: "Everything that falls due before a later time happens; moving back undoes nothing."
  )

  @Argument(help: "The time, such as 2012-06-01T00:00:00Z.") var time: String

  @OptionGroup var clock: ClockOptions

  func validate() throws { _ = try moment() }

  func run() async throws {
    let moment = try moment().description
    try await clock.run(ControlRequest(.post, "clock", "set").with(.object(["to": .string(moment)])))
  }

  private func moment() throws -> Timestamp {
    guard let moment = Timestamp(time) else {
      throw ValidationError("expected a time such as 2012-06-01T00:00:00Z, found \"\(time)\"")
    }
    return moment
  }
}

/// `apnsim clock freeze`
struct ClockFreezeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "freeze",
    abstract: "Stop the clock; advance and set still move it."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.post, "clock", "freeze")) }
}

/// `apnsim clock resume`
struct ClockResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a stopped clock run again."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.post, "clock", "resume")) }
}
