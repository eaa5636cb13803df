import APNSimCapture
import APNSimCore
import APNSimScenario
import ArgumentParser

/// `apnsim replay`: plays a capture again and compares the answers with the recorded ones.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a capture again and compare the answers with the recorded ones.",
    discussion: """
      With --to, it acts as the captured providers over TLS: one connection for each captured one, in the same order \
      and at the same pace.

      With --offline, it plays the capture into a simulator of its own, without a network, and shows the verdict for \
      every notification and the exact bytes that answer it. A journal recorded from its beginning comes out again \
      byte for byte; under other settings, the differences show what these change.

      Exit code 1 if an answer, or who ended a connection, differs from the recording; the first difference is \
      printed in full.
      """
  )

  @Argument(
    help: ArgumentHelp(
      """
      A native capture; "apnsim import" makes one from other formats. With --offline, several are the parts of one \
      recording that was rotated, the oldest first.
      """,
      valueName: "capture"
    ),
    completion: .file()
  )
  var captures: [String]

  @Flag(help: "Replay without a network, at full speed.")
  var offline = false

  @OptionGroup(title: "Over the network") var network: NetworkReplayOptions
  @OptionGroup(title: "With --offline") var offlineOptions: OfflineReplayOptions
  @OptionGroup(title: "With --offline, in place of the recorded settings") var core: SettingOptions<CoreFlags>
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard offline != (network.to != nil) else {
      throw ValidationError(
        offline
          ? "--offline and --to exclude each other: leave one out"
          : "expected --offline or --to HOST:PORT"
      )
    }
    guard offline || captures.count == 1 else {
      throw ValidationError("several captures are the parts of one recording, for --offline only")
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
      reading: captures + [offlineOptions.scenario]
    )
  }

  /// Over the network they would have no effect.
  private func refuseOfflineOptions() throws(ValidationError) {
    var given = core.values.filter { $0.text != nil }.map { SettingName($0.name).flag }
    let options = offlineOptions
    for (flag, isGiven) in [
      ("--scenario", options.scenario != nil), ("--format", options.format != nil),
      ("--output", options.output != nil), ("--journal", options.journal != nil),
      ("--topic", options.topic != nil), ("--quiet", options.quiet),
    ] where isGiven { given.append(flag) }
    guard let first = given.first else { return }
    throw ValidationError("\(first) is for --offline only: with --to, another gateway gives the answers")
  }

  /// A replay without a network has no pauses and shows no certificate.
  private func refuseNetworkOptions() throws(ValidationError) {
    for (flag, isGiven) in [
      ("--feedback-to", network.feedbackTo != nil), ("--http2-to", network.requestsTo != nil),
      ("--auth-key", !network.authKey.isEmpty), ("--no-feedback", network.isWithoutFeedback),
      ("--speed", network.speed != nil), ("--join", network.isJoined), ("--timeout", network.timeout != nil),
      ("--cert", network.credentials.cert != nil), ("--key", network.credentials.key != nil),
      ("--password", network.credentials.password != nil),
      ("--certs", network.credentials.server.certs != nil),
      ("--ca", network.credentials.server.ca != nil), ("--insecure", network.credentials.server.insecure),
    ] where isGiven {
      throw ValidationError("\(flag) is for --to only: --offline uses no network")
    }
  }

  func run() async throws {
    if offline {
      try OfflineReplay(captures, offlineOptions, try FlagAssignments.read(core.values), output).run()
    } else {
      try await NetworkReplayRun(options: network, output: output).run(captures[0])
    }
  }
}
