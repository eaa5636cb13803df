import APNSimProvider
import APNSimScenario
import APNSimTLS
import ArgumentParser
import Foundation

/// `apnsim`: picks the subcommand, and turns whatever goes wrong into a line on stderr and an exit code.
@main
struct Apnsim: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "apnsim",
    abstract: "A local stand-in for Apple's Push Notification service, as a provider sees it.",
    discussion: """
      Without a subcommand, apnsim runs the simulator: it makes its certificates in ./certs, listens on \
      127.0.0.1:2195 and :2196, and prints how to connect. The simulator makes no outgoing connections.

      Shell completions: apnsim --generate-completion-script bash|zsh|fish
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(name: "Running", subcommands: [ServeCommand.self, ExecCommand.self, ReadyCommand.self]),
      CommandGroup(
        name: "Provider and device",
        subcommands: [SendCommand.self, FeedbackCommand.self, DeviceCommand.self]
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
          ScenarioCommand.self, ReplayCommand.self, DiffCommand.self, ImportCommand.self, ExportCommand.self,
          DecodeCommand.self, TokensCommand.self, CertificatesCommand.self,
        ]
      ),
    ],
    defaultSubcommand: ServeCommand.self
  )

  static func main() async {
    Output.holdPlaces()
    do {
      var command = try parsed()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      // A server has served, whether or not anybody read where.
      if let failure = Output.failure, !(command is ServeCommand) { throw failure }
    } catch {
      end(with: error)
    }
  }

  /// The command of the arguments. The tree of all commands, and what each of them takes, is looked at where they do
  /// not ask for the simulator itself, or are not right.
  private static func parsed() throws -> sending any ParsableCommand {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isNamed = arguments.first == ServeCommand.configuration.commandName
    if isNamed { arguments.removeFirst() }
    if isNamed || arguments.first?.hasPrefix("-") != false, let serve = try? ServeCommand.parse(arguments) {
      return serve
    }
    if arguments.first == "help" { try checkNames(arguments.dropFirst()) }
    let command = try parseAsRoot()
    // The parser's own command, whose type has no name for us.
    if type(of: command).configuration.commandName == "help" { try checkAskedForHelp(arguments) }
    return command
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

  /// Refuses the name of a subcommand that there is none of, which the parser's own `help` passes over.
  private static func checkNames(_ words: some Sequence<String>) throws(ValidationError) {
    var command: any ParsableCommand.Type = Self.self
    for word in words.prefix(while: { !$0.hasPrefix("-") }) {
      let named = command.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let named else { throw ValidationError("there is no subcommand \"\(word)\"") }
      command = named
    }
  }

  /// Says on stderr what went wrong, for a command that chooses its own exit code.
  static func report(_ error: any Error) {
    for line in failure(error).lines { Output.note(line) }
  }

  private static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let failure as CommandFailure: failure
    case let failure as ProviderFailure: CommandFailure(failure)
    case let error as DocumentError: CommandFailure(error)
    case let error as TLSSetupError: CommandFailure(error)
    default: CommandFailure(.runtimeError, "\(error)")
    }
  }

  private static func end(with error: any Error) -> Never {
    if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
    let ending = ending(error)
    for line in ending.lines { Output.note(line) }
    Foundation.exit(ending.status.rawValue)
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
      return CommandFailure(.usage, text, hints: UsageHint.hints(for: CommandLine.arguments))
    default:
      let failure = failure(error)
      // One without words has said all on stdout, or wanted to.
      return failure.message.isEmpty ? Output.failure ?? failure : failure
    }
  }
}
