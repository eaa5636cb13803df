import APNSimCore
import APNSimScenario
import ArgumentParser
import Foundation

/// `apnsim replay`: plays a capture again and compares the answers with the recorded ones.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a capture again, and compare what comes back with what came back then.",
    discussion: """
      With --to it acts as the captured providers over TLS: one connection for each of the capture's, in its order \
      and time.

      With --offline it plays the capture into a simulator of its own, without a network: the verdict for every \
      notification and the exact bytes it is answered with. A journal recorded from its beginning, with all its \
      settings, gives the same journal byte for byte; with other settings the differences are what one looks for.

      Exit code 1 when an answer differs, or who ended a connection; the first difference is printed in full.
      """
  )

  @Argument(help: "The native capture; see \"apnsim import\" for others.", completion: .file())
  var capture: String

  @Flag(help: "Without a network, as fast as the machine goes.")
  var offline = false

  @OptionGroup(title: "Over the network") var network: NetworkReplayOptions
  @OptionGroup(title: "With --offline") var offlineOptions: OfflineReplayOptions
  @OptionGroup(title: "With --offline, instead of the recorded settings") var core: CoreSettingOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard offline != (network.to != nil) else {
      throw ValidationError(
        offline
          ? "--offline and --to are two ways to replay: leave one of them out"
          : "say how to replay: --offline, or --to HOST:PORT"
      )
    }
    _ = try FlagAssignments.read(core.values)
    try offline ? refuseNetworkOptions() : refuseOfflineOptions()
    if output.isJSON, let format = offlineOptions.format, format != .json {
      throw ValidationError(
        "--json and --format \(format.rawValue) ask for two formats: leave one of them out"
      )
    }
    try SameFile.check(
      [("--output", offlineOptions.output), ("--journal", offlineOptions.journal)],
      reading: [capture, offlineOptions.scenario]
    )
  }

  /// Nobody would hear of them over the network.
  private func refuseOfflineOptions() throws(ValidationError) {
    var given = core.values.filter { $0.text != nil }.map { SettingName($0.name).flag }
    let options = offlineOptions
    for (flag, isGiven) in [
      ("--scenario", options.scenario != nil), ("--format", options.format != nil),
      ("--output", options.output != nil), ("--journal", options.journal != nil),
      ("--topic", options.topic != nil), ("--quiet", options.quiet),
    ] where isGiven { given.append(flag) }
    guard let first = given.first else { return }
    throw ValidationError("\(first) is for --offline: with --to another gateway gives the answers")
  }

  /// A replay without a network has no pauses and shows no certificate.
  private func refuseNetworkOptions() throws(ValidationError) {
    for (flag, isGiven) in [
      ("--feedback-to", network.feedbackTo != nil), ("--no-feedback", network.isWithoutFeedback),
      ("--speed", network.speed != nil), ("--join", network.isJoined), ("--timeout", network.timeout != nil),
      ("--cert", network.credentials.cert != nil), ("--key", network.credentials.key != nil),
      ("--password", network.credentials.password != nil),
      ("--certs", network.credentials.server.certs != nil),
      ("--ca", network.credentials.server.ca != nil), ("--insecure", network.credentials.server.insecure),
    ] where isGiven {
      throw ValidationError("\(flag) is for --to: --offline plays the capture without a network")
    }
  }

  func run() async throws {
    if offline {
      try OfflineReplay(capture, offlineOptions, try FlagAssignments.read(core.values), output).run()
    } else {
      try await NetworkReplayRun(options: network, output: output).run(capture)
    }
  }
}
