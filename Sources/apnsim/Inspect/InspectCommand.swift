import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import ArgumentParser
import Logging

/// `apnsim inspect`: shows a recording in the page.
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show a recording in a browser, in the page of the simulator.",
    discussion: """
      Plays a capture into a simulator without a network, up to its end, and serves the page and the control API of \
      that, on a port of its own. The API refuses whatever would change something. What is no native capture is \
      imported first, as "apnsim import" does it, into a temporary file that does not stay.

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
    defer { if let imported { SystemFile.remove(imported) } }
    let simulator = try play(imported.map { [$0] } ?? captures)
    var configuration = ServerConfiguration()
    configuration.listening.ephemeral = port == 0
    configuration.control.port = port
    configuration.control.page = .readOnly
    let server = SimulatorServer(
      configuration: configuration,
      simulator: simulator,
      logger: Logger(label: "apnsim") { _ in SwiftLogNoOpLogHandler() }
    )
    let redaction = CaptureRedaction(try RedactionKey.pseudonyms(nil), isUsual: false)
    let control = ControlServer(configuration, redaction: redaction, isRecording: true)
    let url: String
    do {
      url = try await control.start(beside: server)
    } catch {
      throw ServedSimulator.failure(error)
    }
    let said = "\(captures.joined(separator: ", ")): \(summary(simulator)); Ctrl-C ends it"
    // What is printed says that signals are heard.
    _ = try await Interruption.race {
      Output.line("\(url)/")
      Output.note(said)
      try await Task.sleep(for: .seconds(1 << 40))
    }
    await control.stop()
  }

  /// A native capture that is made of others; nil where they are native.
  private func imported() async throws -> String? {
    var detection = CaptureImport(ImportOptions(), identity: { _ in nil }, write: { _ in })
    let kinds = captures.map { try? detection.kind(of: $0) }
    guard kinds.contains(where: { $0.map { $0 != .journal } ?? false }) else { return nil }
    let path = SystemFile.temporaryPath(ending: ".jsonl")
    let options = [("--keylog", keylog), ("--topic", topic)].flatMap { name, value in
      value.map { [name, $0] } ?? []
    }
    let command = try ImportCommand.parse(options + ["--output", path, "--"] + captures)
    ImportSummaryText(try await command.write(), output: nil).notes.forEach(Output.note)
    return path
  }

  /// The simulator at the end of the recording, whose clock stands still.
  private func play(_ captures: [String]) throws -> Simulator {
    let reader: CaptureReader
    do throws(CaptureFailure) {
      reader = try CaptureReader(parts: captures)
    } catch {
      throw CommandFailure(error)
    }
    var options = ReplayOptions()
    options.keep = keep
    options.lastPart = part
    let replay: Replay
    do {
      replay = try Replay(reader, options: options)
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    let bar = CaptureProgress(captures)
    let result = replay.run(progress: { bar.update($0, of: reader.path) })
    bar.finish()
    if let damage = result.damage { Output.note("\(damage); everything before it is shown") }
    if let gaps = result.gaps.text, let first = result.gaps.places.first {
      Output.note("\(reader.gapPath ?? reader.path):\(first.line): \(gaps)")
    }
    try notePart(result)
    // No time passes any more.
    try replay.simulator.perform(.freezeClock, at: Timestamp(rawValue: .min))
    return replay.simulator
  }

  /// Says which part of the recording is shown, where there are several.
  private func notePart(_ result: ReplayResult) throws {
    let shown = result.endedParts + 1
    if let part, part > shown {
      throw CommandFailure(.usage, "--part: expected a number from 1 to \(shown), found \(part)")
    }
    guard result.endedParts > 0 else { return }
    let before = Number.counted(Int(clamping: result.notificationsOfEndedParts), "notification")
    Output.note(
      "part \(shown) of the recording; \(before) came before the last reset or new scenario "
        + "(--part 1 to \(result.endedParts) shows them)"
    )
  }

  private func summary(_ simulator: Simulator) -> String {
    let count = Number.counted(simulator.numbers.count, "notification")
    guard let span = simulator.historySpan else { return count }
    return "\(count), \(span.first) to \(span.last)"
  }
}
