import APNSimWire
import ArgumentParser

/// What every command about the clock takes, and how its answer looks.
struct ClockOptions: ParsableArguments {
  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Asks, and prints what time it is then.
  func run(_ request: ControlRequest) async throws {
    let client = try control.client()
    var answer = try await client.json(request)
    if answer.objectValue == nil { answer = try await client.json(ControlRequest(.get, "clock")) }
    output.show(answer) { [Self.line(answer, $0)] }
  }

  /// `2012-06-01T02:00:00.000Z  virtual, stopped`
  static func line(_ clock: JSONValue, _ style: Style) -> String {
    let state = clock.member("running")?.boolValue == false ? "stopped" : "running"
    return "\(clock.text("now"))  " + style.paint("\(clock.text("mode")), \(state)", .dim)
  }
}
