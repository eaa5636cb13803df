import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// `apnsim wait --count 3 --query 'topic:com.example.app'`: did it arrive?
struct WaitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until notifications have arrived (exit 1 when they do not).",
    discussion: """
      apnsim wait --count 3 --query 'topic:com.example.app alert~"Order"' --timeout 5s
      apnsim wait --never --query 'outcome:rejected' --timeout 1s
      apnsim wait --exactly 1 --quiet-for 200ms

      Counts everything since the simulator started or was reset last, so nothing is missed between sending and \
      waiting. Prints what matched; when it is not enough, also what came nearest and where it differs.
      """
  )

  @Option(help: "At least so many (the default: 1).") var count: Int?
  @Option(help: "Exactly so many.") var exactly: Int?
  @Flag(help: "None at all: waits for the whole time-out, and fails at the first.") var never = false
  @Option(
    parsing: .unconditional,
    help: "Only those that match: topic:com.example.* alert~\"order\" status:8 device:bob"
  )
  var query: String?
  @Option(help: "How long to wait: 5s, 500ms.") var timeout = DurationArgument.usual
  @Option(name: .customLong("quiet-for"), help: "Then until nothing has matched for this long.")
  var quietFor: DurationArgument?
  @Option(help: "Only those after this one: an id such as n57, or now.") var since: String?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard [count != nil, exactly != nil, never].count(where: { $0 }) <= 1 else {
      throw ValidationError("--count, --exactly and --never exclude each other")
    }
    guard count ?? 1 >= 1, exactly ?? 0 >= 0 else {
      throw ValidationError("--count is 1 or more, --exactly 0 or more")
    }
    if let quietFor, quietFor.duration > timeout.duration {
      throw ValidationError(
        "a wait of \(timeout) ends before it can have been quiet for \(quietFor): give it a longer --timeout"
      )
    }
    let longest = WaitRequest.longestTimeout
    guard timeout.milliseconds <= longest.milliseconds else {
      throw ValidationError("--timeout: expected at most \(longest), found \(timeout)")
    }
    if let since, WaitRequest.start(named: since) == nil {
      throw ValidationError("--since: expected \(WaitRequest.expectedStart), found \"\(since)\"")
    }
  }

  func run() async throws {
    var request = ControlRequest(.post, "notifications", "wait").with(body)
    // The server ends the wait; this is for one that does not.
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
