import APNSimCore
import APNSimWire
import ArgumentParser

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
