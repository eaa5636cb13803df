import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimImport
import APNSimScenario
import APNSimServer
import APNSimSystem
import APNSimWire
import ArgumentParser
import Logging
import Synchronization

/// `apnsim inspect`: shows a recording in the page.
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show a recording in a browser, in the page of the simulator.",
    discussion: """
      Plays a capture into a simulator without a network, up to its end, and serves the page and the control API of \
      that, on a port of its own. The API refuses whatever would change something. What is no native capture is \
      imported first, as "apnsim import" does it, into a temporary file that does not stay. A capture that takes \
      longer than a second is shown while it is read; "complete" of GET /recording says when it has been.

      A reset or a new scenario begins anew: what came before is a part of its own, which --part shows.

      Prints the page's address, and runs until Ctrl-C.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A native capture, or what import reads; several are the parts of one that was rotated, the oldest first.",
      valueName: "capture"
    ),
    completion: .file()
  )
  var captures: [String]

  @Option(help: ArgumentHelp("The page's port; 0 is any free one.", valueName: "port"))
  var port = 0

  @Option(help: ArgumentHelp("The notifications that are kept, the newest.", valueName: "number"))
  var keep = 1_000_000

  @Option(
    help: "The key log (SSLKEYLOGFILE) with the connections' TLS secrets, of a packet capture; needs tshark.",
    completion: .file()
  )
  var keylog: String?

  @Option(
    help: "The topic of an import's providers (default: what their certificates say, else com.example.app)."
  )
  var topic: String?

  @Option(
    help: ArgumentHelp(
      "The part that is shown, from 1; a reset or a new scenario ends one. (default: the last)",
      valueName: "number"
    )
  )
  var part: Int?

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port: expected a port from 0 to 65535, found \(port)")
    }
    guard (1...10_000_000).contains(keep) else {
      throw ValidationError("--keep: expected 1 to 10000000, found \(keep)")
    }
    if let part, part < 1 { throw ValidationError("--part: expected a number from 1, found \(part)") }
  }

  func run() async throws {
    let imported = try await imported()
    defer { if let imported { try? SystemPath.remove(imported) } }
    let played = imported.map { [$0] } ?? captures
    let playback = RecordingPlayback(try replay(played), of: played, shownAs: captures)
    var configuration = ServerConfiguration()
    configuration.listening.ephemeral = port == 0
    configuration.control.port = port
    configuration.control.page = .readOnly
    let simulator = playback.simulator
    let server = SimulatorServer(
      configuration: configuration,
      simulator: simulator,
      logger: Logger(label: "apnsim") { _ in SwiftLogNoOpLogHandler() },
      ServerAdditions(recordedTime: { simulator.lastWall })
    )
    let redaction = CaptureRedaction(try RedactionKey.pseudonyms(nil), isUsual: false)
    let control = ControlServer(configuration, redaction: redaction, recording: playback.recording)
    let url: String
    do {
      url = try await control.start(beside: server)
    } catch {
      throw ServedSimulator.failure(error)
    }
    // The printed line says that signals are heard.
    _ = try await Interruption.race { try await show(playback, at: url) }
    await control.stop()
  }

  /// The time that the address waits for the recording to be read; one that takes longer is shown meanwhile.
  private static let patience = Duration.seconds(1)

  private func show(_ playback: RecordingPlayback, at url: String) async throws {
    let address = AddressLine("\(url)/")
    let notes = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await Task.sleep(for: Self.patience)
        address.say()
      }
      defer { group.cancelAll() }
      return try await playback.run(part: part)
    }
    notes.forEach(Output.note)
    let name = captures.joined(separator: ", ")
    Output.note("\(name): \(playback.summary); Ctrl-C ends it")
    address.say()
    try await Task.sleep(for: .seconds(1 << 40))
  }

  /// A native capture that is made of others; nil where they are native.
  private func imported() async throws -> String? {
    var detection = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { _ in })
    // A pipe can be looked at but once: it has a native capture.
    let kinds = captures.filter(CaptureFile.canBeReread).map { try? detection.kind(of: $0) }
    guard kinds.contains(where: { $0.map { $0 != .journal } ?? false }) else { return nil }
    let path = SystemFolder.temporaryPath(ending: ".jsonl")
    let options = [("--keylog", keylog), ("--topic", topic)].flatMap { name, value in
      value.map { [name, $0] } ?? []
    }
    let command = try ImportCommand.parse(options + ["--output", path, "--"] + captures)
    ImportSummaryText(try await command.write(), output: nil).notes.forEach(Output.note)
    return path
  }

  /// The replay of the recording, at its beginning.
  private func replay(_ captures: [String]) throws -> Replay {
    let reader: CaptureReader
    do throws(CaptureFailure) {
      reader = try CaptureReader(parts: captures)
    } catch {
      throw CommandFailure(error)
    }
    var options = ReplayOptions()
    options.keep = keep
    options.lastPart = part
    options.isOnlyShown = true
    do {
      return try Replay(reader, options: options)
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
  }
}

/// The address of the page, which is said once.
private final class AddressLine: Sendable {
  private let text: String
  private let isSaid = Atomic<Bool>(false)

  init(_ text: String) { self.text = text }

  func say() {
    if !isSaid.exchange(true, ordering: .relaxed) { Output.line(text) }
  }
}
