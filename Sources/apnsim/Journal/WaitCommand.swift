import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// `apnsim wait --count 3 --query 'topic:com.example.app'`: did it arrive?
struct WaitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until notifications have arrived (exit 1 if they do not).",
    discussion: """
      apnsim wait --count 3 --query 'topic:com.example.app alert~"Order"' --timeout 5s
      apnsim wait --never --query 'outcome:rejected' --timeout 1s
      apnsim wait --exactly 1 --quiet-for 200ms

      Counts everything since the simulator started or was last reset, so nothing is missed between sending and \
      waiting. Prints what matched, up to a hundred; if that is not enough, also the nearest misses and where they differ.
      """
  )

  @Option(help: ArgumentHelp("Expect at least this many (default: 1).", valueName: "number")) var count: Int?
  @Option(help: ArgumentHelp("Expect exactly this many.", valueName: "number")) var exactly: Int?
  @Flag(help: "Expect none: wait for the whole timeout, and fail at the first match.") var never = false
  @Option(
    parsing: .unconditional,
    help: "Count only those that match: topic:com.example.* alert~\"order\" status:8 device:bob"
  )
  var query: String?
  @Option(help: ArgumentHelp("How long to wait: 5s, 500ms.", valueName: "duration")) var timeout =
    DurationArgument.usual
  @Option(
    name: .customLong("quiet-for"),
    help: ArgumentHelp("Then wait until nothing has matched for this duration.", valueName: "duration")
  )
  var quietFor: DurationArgument?
  @Option(help: ArgumentHelp("Count only those after this one: an id such as n57, or now.", valueName: "id"))
  var since: String?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard [count != nil, exactly != nil, never].count(where: { $0 }) <= 1 else {
      throw ValidationError("--count, --exactly and --never are mutually exclusive")
    }
    guard count ?? 1 >= 1, exactly ?? 0 >= 0 else {
      throw ValidationError("--count must be 1 or more, --exactly 0 or more")
    }
    if let quietFor, quietFor.duration > timeout.duration {
      throw ValidationError(
        "--timeout \(timeout) is too short for --quiet-for \(quietFor): give a longer --timeout"
      )
    }
    let longest = WaitBody.longestTimeout
    guard timeout.milliseconds <= longest.milliseconds else {
      throw ValidationError("--timeout: expected at most \(longest), found \(timeout)")
    }
    if let since, WaitBody.start(named: since) == nil {
      throw ValidationError("--since: expected \(WaitBody.expectedStart), found \"\(since)\"")
    }
  }

  func run() async throws {
    var request = ControlRequest(.post, "notifications", "wait").with(body)
    // The server ends the wait; this time-out is for a server that does not.
    request.timeout = timeout.duration + (quietFor?.duration ?? .zero) + .seconds(15)
    let answer = try await control.client().json(request)
    let report = WaitReport(answer, wanted: wanted, quietFor: quietFor.map { "\($0)" })
    if output.isJSON { Output.line(answer.description) } else { Output.lines(report.lines(output.style)) }
    guard !report.isSatisfied else { return }
    guard output.isJSON else {
      throw CommandFailure(.failed, report.failure)
    }
    throw CommandFailure.quiet(.failed)
  }

  private var wanted: String {
    if never { return "none" }
    return exactly.map { "exactly \($0)" } ?? "at least \(count ?? 1)"
  }

  private var body: JSONValue {
    let number =
      never
      ? JSONValue.object(["never": .bool(true)])
      : exactly.map { .object(["exactly": .number("\($0)")]) }
        ?? .object(["atLeast": .number("\(count ?? 1)")])
    return .object([
      "query": query.map { .string($0) },
      "count": number,
      "timeout": .string("\(timeout.milliseconds)ms"),
      "quietFor": quietFor.map { .string("\($0.milliseconds)ms") },
      "since": since.map { .string($0) },
    ])
  }
}
