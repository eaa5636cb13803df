import ArgumentParser

/// `apnsim replay`: plays a capture again and compares the answers with the recorded ones.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a capture again, and compare what comes back with what came back then.",
    discussion: """
      With --to it acts as the captured providers over TLS: one connection for each of the capture's, in its order \
      and time. Exit code 1 when an answer differs; the first difference is printed in full.
      """
  )

  @Argument(help: "The native capture; see \"apnsim import\" for others.", completion: .file())
  var capture: String

  @OptionGroup(title: "Over the network") var network: NetworkReplayOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard network.to != nil else { throw ValidationError("--to HOST:PORT says where to") }
  }

  func run() async throws {
    try await NetworkReplayRun(options: network, output: output).run(capture)
  }
}
