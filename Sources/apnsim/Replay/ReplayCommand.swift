import APNSimCore
import APNSimScenario
import ArgumentParser
import Foundation

/// `apnsim replay FILE`: plays a capture again.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a capture again and compare what comes of it (exit 1 when it differs).",
    discussion: """
      --offline plays it into a simulator of its own, without a network: the verdict for every notification and the \
      exact bytes it is answered with. A journal recorded from its beginning, with all its settings, gives the same \
      journal byte for byte; with other settings the differences are what one looks for.
      """
  )

  @Argument(help: "A capture (apnsim serve --record, apnsim import), plain or gzip.", completion: .file())
  var file: String

  @Flag(help: "Without a network, as fast as the machine goes.")
  var offline = false

  @OptionGroup(title: "With --offline") var offlineOptions: OfflineReplayOptions
  @OptionGroup(title: "Instead of the recorded settings") var core: CoreSettingOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard offline else { throw ValidationError("say how to replay: --offline") }
    _ = try FlagAssignments.read(core.values)
  }

  func run() async throws {
    try OfflineReplay(file, offlineOptions, try FlagAssignments.read(core.values), output).run()
  }
}
