import APNSimCapture
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire

/// One `apnsim replay --offline`, from the file to the exit code.
struct OfflineReplay {
  private let files: [String]
  private let options: OfflineReplayOptions
  private let settings: [SettingAssignment]
  private let output: OutputOptions

  init(
    _ files: [String],
    _ options: OfflineReplayOptions,
    _ settings: [SettingAssignment],
    _ output: OutputOptions
  ) {
    (self.files, self.options, self.settings, self.output) = (files, options, settings, output)
  }

  func run() throws {
    var choices = ReplayOptions()
    choices.settings = settings
    if let topic = options.topic { choices.topic = topic }
    choices.scenario = try options.scenario.map {
      try ScenarioFile.load(ShippedScenarios.file($0), serverSettings: ServerSetting.all.map(\.name))
    }
    let reader: CaptureReader
    do throws(CaptureFailure) {
      reader = try CaptureReader(parts: files)
    } catch {
      throw CommandFailure(error)
    }
    let replay: Replay
    do {
      replay = try Replay(reader, options: choices)
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    // A replay that cannot begin overwrites nothing.
    let journal = try options.journal.map { try JournalFile.open($0) }
    if let journal { replay.record(to: journal) }
    let (file, report) = try Self.forwarding { try makeReport() }
    sayWhatIsCompared(reader.header, replay)
    let bar = CaptureProgress(files)
    let start = ContinuousClock.now
    let result = replay.run(
      observe: options.quiet ? nil : { report.add($0) },
      progress: { bar.update($0, of: reader.path) }
    )
    bar.finish()
    try journal?.close()
    let span = ContinuousClock.now - start
    try Self.forwarding {
      try report.finish(OfflineReport(files.joined(separator: " "), result, options), after: span)
      try file.finish()
    }
    say(result, replay, reader.gapPath ?? reader.path)
    guard result.isSame else { throw CommandFailure.quiet(.failed) }
  }

  private static func forwarding<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as CaptureFailure { throw CommandFailure(failure) }
  }

  private func makeReport() throws -> (CaptureOutput, any ReportWriter<OfflineReport>) {
    let file = try CaptureOutput(options.output ?? "-", nil, for: .other)
    let sink: ReportSink = { try file.write($0) }
    switch options.format ?? (output.isJSON ? .json : .table) {
    case .table:
      let style = options.output == nil ? output.style : .plain
      return (file, TextReport(style, waitingIn: options.quiet ? nil : try Spool(), to: sink))
    case .json: return (file, JSONReport(to: sink))
    case .junit: return (file, JUnitReport(waitingIn: try Spool(), to: sink))
    }
  }

  private func sayWhatIsCompared(_ header: CaptureHeader, _ replay: Replay) {
    if replay.isExact { return }
    if let source = header.source {
      Output.note("imported from \(source.kind) \(source.name): answers are compared, not journal lines")
    } else if !settings.isEmpty || options.scenario != nil {
      Output.note("replayed with other settings: differences are their effect")
    } else if header.completeFrom > 1 {
      Output.note(
        "the recording begins in the middle (seq \(header.completeFrom)): what happened before is unknown"
          + (header.continues ? "; name the parts before it first" : "")
      )
    } else {
      Output.note(
        "the capture does not say in what situation it began: answers are compared, not journal lines"
      )
    }
  }

  private func say(_ result: ReplayResult, _ replay: Replay, _ file: String) {
    if let damage = result.damage { Output.note("\(damage); everything before it was used") }
    if let gaps = result.gaps.text, let first = result.gaps.places.first {
      Output.note("\(file):\(first.line): \(gaps); nothing from there on is compared")
    }
    for (count, what) in [(result.missingBytes, "from providers"), (result.missingAnswerBytes, "of answers")]
    where count > 0 {
      Output.note("\(Number.counted(Int(clamping: count), "byte")) \(what) missing from the capture")
    }
    for part in result.uncomparedParts { Output.note(part.reason) }
    for (name, count) in result.unknownEvents.sorted(by: { $0.key < $1.key }) {
      Output.note("skipped \(Number.counted(count, "event")) of the unknown kind \"\(name)\"")
    }
    if let first = result.commands.firstUnknown {
      let count = Number.counted(Int(clamping: result.commands.unknown), "command")
      Output.note("skipped \(count) unknown to this version; the first: \(first)")
    }
    if let reason = result.commands.firstFailure {
      let count = Number.counted(Int(clamping: result.commands.failed), "recorded command")
      Output.note("\(count) could not be carried out here; the first: \(reason)")
    }
    for (key, count) in result.unknownKeys.sorted(by: { $0.key < $1.key }) {
      Output.note("skipped the unknown key \"\(key)\" on \(Number.counted(count, "line"))")
    }
    if replay.isExact, !result.comparesJournal, result.gaps.isEmpty {
      Output.note("journal lines are compared up to the first of these; after it, verdicts and answers")
    }
    if result.endsEarly {
      Output.note("the capture ends before everything that followed from its last input")
    }
    guard let difference = result.firstDifference else { return }
    for line in DifferenceText.lines(difference, isOnly: result.differences == 1) { Output.note(line) }
  }
}
