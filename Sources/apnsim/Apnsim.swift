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
      Without a subcommand, apnsim serves: it makes its certificates in ./certs, listens on 127.0.0.1:2195 \
      and :2196, and tells how to connect. It makes no outgoing call unless you send with it.

      Shell completions: apnsim --generate-completion-script bash|zsh|fish
      """,
    version: version,
    subcommands: [
      ServeCommand.self, SendCommand.self, FeedbackCommand.self, CertificatesCommand.self,
      DecodeCommand.self, ImportCommand.self, ExportCommand.self, ReplayCommand.self, DiffCommand.self,
      TokensCommand.self, ScenarioCommand.self, DeviceCommand.self,
    ],
    defaultSubcommand: ServeCommand.self
  )

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    switch error {
    case let failure as CommandFailure: end(with: failure)
    case let error as DocumentError: end(with: CommandFailure(error))
    case let error as TLSSetupError: end(with: CommandFailure(error))
    default: break
    }
    let code = exitCode(for: error)
    if code == .success { exit(withError: error) }  // --help, --version, a completion script
    guard code == .validationFailure else {
      end(with: CommandFailure(.runtimeError, "\(error)"))
    }
    let prefix = "Error: "
    let message = fullMessage(for: error)
    let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    Output.note("apnsim: error: \(text)")
    for hint in UsageHint.hints(for: CommandLine.arguments) { Output.note("hint: \(hint)") }
    Foundation.exit(ExitStatus.usage.rawValue)
  }

  private static func end(with failure: CommandFailure) -> Never {
    for line in failure.lines { Output.note(line) }
    Foundation.exit(failure.status.rawValue)
  }
}
