import APNSimScenario
import APNSimServer
import APNSimSystem
import APNSimWire
import ArgumentParser

/// `apnsim`: picks the subcommand, and turns whatever goes wrong into a line on stderr and an exit code.
@main
struct Apnsim: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apnsim",
    abstract: "A local stand-in for Apple's Push Notification service, as a provider sees it.",
    discussion: """
      Without a subcommand, apnsim runs the simulator: it makes its certificates in ./certs, listens on 127.0.0.1 (ports 2195 \
      and 2196 binary, 2197 HTTP/2, 2199 control, 5223 devices), and prints how to connect. The simulator makes no outgoing \
      connections.

      Shell completions: apnsim --generate-completion-script bash|zsh|fish
      """,
    version: ProgramVersion.text,
    groupedSubcommands: [
      CommandGroup(name: "Running", subcommands: [ServeCommand.self, ExecCommand.self, ReadyCommand.self]),
      CommandGroup(
        name: "Provider and device",
        subcommands: [
          SendCommand.self, FeedbackCommand.self, DeviceCommand.self, ChannelCommand.self,
        ]
      ),
      CommandGroup(
        name: "Server control",
        subcommands: [
          WatchCommand.self, WaitCommand.self, FaultCommand.self, ClockCommand.self, ConnectionsCommand.self,
          AdviceCommand.self, ResetCommand.self, RecordCommand.self,
        ]
      ),
      CommandGroup(
        name: "File and token",
        subcommands: [
          ScenarioCommand.self, ReplayCommand.self, InspectCommand.self, DiffCommand.self, ImportCommand.self,
          ExportCommand.self,
          DecodeCommand.self, TokensCommand.self, CertificatesCommand.self,
        ]
      ),
    ],
    defaultSubcommand: ServeCommand.self
  )

  static func main() async {
    FirstProcess.endAtSignals()
    SystemFile.holdStandardStreams()
    do {
      var command = try parsed()
      if !isHelp(command) { try ProcessArguments.checkSystem() }
      if var asynchronous = command as? any AsyncParsableCommand {
        try checkDescriptors()
        try await asynchronous.run()
      } else {
        try command.run()
      }
      // A served run is a success, whether or not anybody read its output.
      if let failure = Output.failure, !(command is ServeCommand) { throw failure }
    } catch {
      end(with: error)
    }
  }

  /// Refuses to run where the runtime's threads could not even wait for each other, which would end the process without a
  /// word.
  private static func checkDescriptors() throws(CommandFailure) {
    guard ThisProcess.descriptorLimit < leastDescriptors else { return }
    throw CommandFailure(
      .runtimeError,
      "this process may have \(ThisProcess.descriptorLimit) open files, and needs \(leastDescriptors) at least (raise it with "
        + "ulimit -n)"
    )
  }

  /// The standard streams, what the runtime waits with, and a file at a time.
  private static let leastDescriptors = 8

  /// Parses the command line. The tree of all commands, with their options, is built only if the arguments do
  /// not ask for `serve`, or are wrong.
  private static func parsed() throws -> sending any ParsableCommand {
    let asked = try ProcessArguments.asked()
    var arguments = asked
    let isNamed = arguments.first == ServeCommand.configuration.commandName
    if isNamed { arguments.removeFirst() }
    if isNamed || arguments.first?.hasPrefix("-") != false, let serve = try? ServeCommand.parse(arguments) {
      return serve
    }
    if arguments.first == "help" { try checkNames(arguments.dropFirst()) }
    let command = try parseAsRoot(asked)
    if isHelp(command) { try checkAskedForHelp(arguments) }
    return command
  }

  /// True for the parser's own help command, whose type is not public.
  private static func isHelp(_ command: any ParsableCommand) -> Bool {
    type(of: command).configuration.commandName == "help"
  }

  /// Refuses what the parser takes for a request for help because it finds an `h` in it: `-2h`.
  private static func checkAskedForHelp(_ arguments: [String]) throws(ValidationError) {
    let words = arguments.prefix { $0 != "--" }
    let asking = ["-h", "-help", "help", "--help", "--help-hidden", "--version"]
    guard !words.contains(where: { asking.contains($0) || $0.hasPrefix("--generate") }) else { return }
    let misread = words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    guard let misread else { return }
    throw ValidationError("there is no option \"\(misread)\"; put a value that begins with - after --")
  }

  /// Refuses an unknown subcommand's name, which the parser's own `help` ignores.
  private static func checkNames(_ words: some Sequence<String>) throws(ValidationError) {
    var command: any ParsableCommand.Type = Self.self
    for word in words.prefix(while: { !$0.hasPrefix("-") }) {
      let named = command.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let named else { throw ValidationError("there is no subcommand \"\(word)\"") }
      command = named
    }
  }

  private static func end(with error: any Error) -> Never {
    if let code = error as? ExitCode { ThisProcess.end(code.rawValue) }
    let ending = ending(error)
    ending.report()
    ThisProcess.end(ending.status.rawValue)
  }

  private static func ending(_ error: any Error) -> CommandFailure {
    switch exitCode(for: error) {
    case .success:  // --help, --version, a completion script
      let text = fullMessage(for: error)
      if !text.isEmpty { Output.line(text) }
      return Output.failure ?? .quiet(.ok)
    case .validationFailure:
      let prefix = "Error: "
      let message = fullMessage(for: error)
      let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
      return CommandFailure(
        .usage,
        UsageText.corrected(text),
        hints: UsageHint.hints(for: ProcessArguments.all)
      )
    default:
      let failure = CommandFailure(any: error)
      // A failure without words has said everything on stdout, or tried to.
      return failure.message.isEmpty ? Output.failure ?? failure : failure
    }
  }
}

/// Suggestions for a command line that was not understood.
enum UsageHint {
  /// - Parameter arguments: the whole command line, the program's name first.
  static func hints(for arguments: [String]) -> [String] {
    guard let word = arguments.dropFirst().first(where: { $0 != "help" }), !word.hasPrefix("-") else {
      return []
    }
    let names = Apnsim.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.contains(word) else { return [] }
    if word == "redact" { return ["\"apnsim import FILE --redact -o OUTPUT\" redacts a recording"] }
    if let meant = NearestName.find(word, among: names) { return ["did you mean \"apnsim \(meant)\"?"] }
    return ["the subcommands are \(names.joined(separator: ", ")); see \"apnsim --help\""]
  }
}
