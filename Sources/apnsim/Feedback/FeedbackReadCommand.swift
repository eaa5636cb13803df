import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimWire
import ArgumentParser
import NIOCore

/// `apnsim feedback read`: connects as a provider and prints the tuples as they come.
struct FeedbackReadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Print the device tokens whose app was removed, as they arrive.",
    discussion: """
      The service starts sending at once and closes when it is done. It clears a list once it is read, so a \
      second read shows only what was added since.
      """
  )

  @OptionGroup var endpoint: EndpointOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("How long to wait for more before giving up: 5s, 500ms.", valueName: "duration"))
  var timeout = DurationArgument.usual

  func validate() throws {
    try timeout.requireSome("--timeout")
  }

  func run() async throws {
    let target = try ProviderTarget.resolve(
      endpoint,
      service: .feedback,
      environment: ProcessVariables.all
    )
    let connection = try await ProviderConnection.open(target, timeout: .opening(timeout.duration))
    var count = 0
    let reader = FeedbackReader(patience: timeout.duration)
    let ending = try await reader.run(over: connection) { tuple in
      count += 1
      let line = FeedbackLine(tuple)
      Output.line(output.isJSON ? try JSONLine.text(line) : line.text(output.style))
    }
    switch ending {
    case .closed(pending: 0):
      if !output.isJSON { Output.note("\(Number.counted(count, "tuple")); end of list") }
    case .closed(let pending):
      throw CommandFailure(
        .runtimeError,
        "the service closed in the middle of a tuple, after \(pending) bytes of it"
      )
    case .quiet:
      Output.note(
        "\(Number.counted(count, "tuple")); the service holds the connection open, but nothing more arrived"
      )
      if count == 0 {
        Output.note("hint: a gateway says nothing either; is this the port of the feedback service?")
      }
    }
  }
}

/// One feedback tuple as `feedback read` prints it.
struct FeedbackLine: Encodable, Equatable {
  /// Seconds since 1970, as on the wire.
  var timestamp: UInt32
  /// The same for people, in UTC.
  var time: String
  var token: String

  init(_ tuple: FeedbackTuple) {
    timestamp = tuple.timestamp
    time = Timestamp(seconds: Int64(tuple.timestamp)).description
    token = Hex.encode(tuple.token)
  }

  func text(_ style: Style) -> String { style.paint(time, .dim) + "  " + token }
}
