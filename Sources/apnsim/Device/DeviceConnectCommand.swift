import APNSimProvider
import APNSimScenario
import APNSimWire
import ArgumentParser
import NIOCore
import UnixSignals

/// `apnsim device connect`: a device on the device port, for as long as it runs.
struct DeviceConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect as a device and show the notifications it gets.",
    discussion: """
      The device is online while this runs. It prints the tokens of its apps, then each notification as its user \
      would see it. What was stored for it while it was offline comes first. With --json, it prints the lines of \
      the device port: {"device":…,"tokens":[…]} and {"notification":{…}}.

      Exit codes: 0 after --count notifications, at the end of --timeout without --count, or on Ctrl-C; 1 when \
      --timeout ends before --count; 2 when the simulator ends the connection; 69 when it cannot be reached.
      """
  )

  @OptionGroup var device: DeviceOptions

  @Option(
    name: .customLong("app"),
    help: "An app of the device: TOPIC, TOPIC:sandbox or, with the token it had, TOPIC=TOKEN. Repeatable."
  )
  var apps: [AppArgument] = []

  @Option(name: .customLong("language"), help: "A language the user prefers, best first. Repeatable.")
  var languages: [String] = []

  @Option(help: ArgumentHelp("Exit after this many notifications.", valueName: "number"))
  var count: Int?

  @Option(help: ArgumentHelp("Exit after this duration: 10s, 5m.", valueName: "duration"))
  var timeout: DurationArgument?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count must be 1 or more") }
    try timeout?.requireSome("--timeout")
  }

  func run() async throws {
    let target = try ProviderTarget.resolve(device, environment: ProcessVariables.all)
    let connection = try await ProviderConnection.open(target, timeout: .seconds(10))
    let connected = ConnectedDevice(
      hello: AppArgument.line(apps, languages: languages),
      count: count
    )
    // Trapped before anything is sent, so that Ctrl-C always ends it politely.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let limit = timeout?.duration
    let (ending, received) = try await connected.run(
      over: connection,
      until: { await Self.stopped(by: signals, after: limit) }
    ) { bytes, line in
      if output.isJSON {
        Output.line(String(decoding: bytes, as: UTF8.self))
      } else {
        Output.lines(line.text(output.style))
      }
    }
    try Self.report(ending, received: received, count: count)
  }

  /// Returns at the first signal, at the end of the time, or once nobody reads stdout any more.
  private static func stopped(
    by signals: UnixSignalsSequence,
    after limit: Duration?
  ) async -> ConnectedDevice.Ending {
    await withTaskGroup(of: ConnectedDevice.Ending.self) { group in
      defer { group.cancelAll() }
      if let limit {
        group.addTask {
          try? await Task.sleep(for: limit)
          return .timedOut
        }
      }
      group.addTask {
        await Output.untilUnread()
        return .interrupted
      }
      group.addTask {
        for await _ in signals { break }
        return .interrupted
      }
      let ending = await group.next() ?? .interrupted
      if !Task.isCancelled { Interruption.begin() }
      return ending
    }
  }

  /// Turns the ending into an exit code.
  private static func report(_ ending: ConnectedDevice.Ending, received: Int, count: Int?) throws {
    switch ending {
    case .complete, .interrupted: return
    case .timedOut:
      guard let count else { return }
      throw CommandFailure(.failed, "\(Number.counted(received, "notification")) of \(count) arrived in time")
    case .refused(let expected, let found):
      throw CommandFailure(.runtimeError, "the simulator expected \(expected), found \(found)")
    case .closed(_, let detail):
      throw CommandFailure(.runtimeError, "the simulator closed the connection: \(detail)")
    case .lost(let reason):
      throw CommandFailure(.runtimeError, reason ?? "the connection ended without a reason")
    }
  }
}
