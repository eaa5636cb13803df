import APNSimWire
import ArgumentParser

/// `apnsim ready`: for scripts that start a server and go on once it is there.
struct ReadyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ready",
    abstract: "Wait until a server is ready (exit 69 if it is not ready in time).",
    discussion: """
      A server is ready once every listener is bound, the scenario is loaded, and a durable state is restored. Prints \
      where it listens; with --sandbox, where that sandbox listens.

      apnsim serve & apnsim ready --timeout 5s && run-tests
      """
  )

  @Option(help: ArgumentHelp("How long to wait: 5s, 500ms; 0 checks once.", valueName: "duration"))
  var timeout = DurationArgument.usual

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let limit = ContinuousClock.now + timeout.duration
    while true {
      do {
        let client = try control.client()
        return show(try await ask(client, until: limit))
      } catch var failure as CommandFailure where failure.status == .unreachable || failure.isTooEarly {
        failure.status = .unreachable
        guard ContinuousClock.now < limit else { throw failure }
        // Asks again a few times a second: before there is a server, there is nothing to wait on.
        try await Task.sleep(for: min(.milliseconds(50), max(.zero, limit - .now)))
      }
    }
  }

  private func ask(_ client: ControlClient, until limit: ContinuousClock.Instant) async throws -> JSONValue {
    var request = ControlRequest(.get, "readyz")
    request.isOfServer = true
    request.timeout = max(limit - .now, .seconds(1))
    let answer = try await client.send(request)
    if answer.isSuccess {
      guard client.target.sandbox == nil else { return try await askSandbox(client, request.timeout) }
      // A server that answers 200 at this port need not be apnsim.
      let said = try answer.json()
      guard said.member("ok") == .bool(true) else {
        throw CommandFailure(
          .runtimeError,
          "expected {\"ok\":true}, found \"\(answer.excerpt)\"",
          hints: ["is it an apnsim control API?"]
        )
      }
      // The endpoints are told to those who may know them.
      return said.member("endpoints") ?? .object([])
    }
    guard answer.status == 503 else { throw ControlProblem.failure(answer, client.target) }
    let said = try answer.json()
    let missing = said.member("missing")?.arrayValue?.map(\.plain) ?? []
    let state = said["state.text"]?.stringValue.map { " (\($0))" } ?? ""
    throw CommandFailure(.unreachable, "not ready yet: \(missing.joined(separator: ", "))\(state)")
  }

  /// An existing sandbox is ready; this prints its endpoints alone.
  private func askSandbox(_ client: ControlClient, _ timeout: Duration?) async throws -> JSONValue {
    var request = ControlRequest(.get)
    request.timeout = timeout
    let sandbox = try await client.json(request)
    return .object((sandbox.objectValue ?? []).filter { !["id", "base", "seed"].contains($0.key) })
  }

  private func show(_ endpoints: JSONValue) {
    output.show(endpoints) { _ in
      Table.lines((endpoints.objectValue ?? []).map { [$0.key, $0.value.plain] })
    }
  }
}
