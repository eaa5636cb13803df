import APNSimWire
import ArgumentParser

/// `apnsim record FILE`: the journal of a running server, into a file.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the journal of a running server to a file, until Ctrl-C.",
    discussion: """
      The file is a capture that replay, diff and import read: a header, then every event, a line each. It begins \
      with what the server remembers (unless --from-now) and continues across resets until Ctrl-C, or until the \
      server stops. Events that leave the server's memory before they can be read are counted, and the exit status \
      is then 1. The last line is always whole. A file whose name ends in .gz is \
      compressed, and can be read as far as it is written.
      """
  )

  @Argument(
    help: "Where to; - for stdout. A recording that is there is kept as FILE.previous.",
    completion: .file()
  )
  var file: String

  @Option(help: "End after so many events.") var count: Int?
  @Option(name: .customLong("for"), help: "End after this time: 10s.") var time: DurationArgument?
  @Flag(name: .customLong("from-now"), help: "Leave out what has happened already.") var fromNow = false

  @OptionGroup var redaction: RedactionOptions
  @OptionGroup var control: ControlOptions

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count must be 1 or more") }
    try SameFile.check([("FILE", file)], reading: [redaction.redactKey])
  }

  func run() async throws {
    let recording = RecordRun(client: try control.client(), count: count, isFromNow: fromNow)
    let sink = RecordFile(file, filter: try redaction.filter())
    let limit = time?.duration
    var result: Result<Void, any Error>
    do {
      _ = try await Interruption.race(limit: limit, needsReader: file == "-") {
        try await recording.run(into: sink)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    do { try sink.close() } catch { result = .failure(error) }
    // A reader that closed its end had what it wanted.
    if file == "-", !Output.isRead { return }
    let (events, missed) = sink.counts
    // An absent server has no events to count.
    if sink.isBegun { Output.note("\(Number.counted(events, "event")) recorded") }
    if let first = sink.beginning {
      Output.note("apnsim: note: it begins with event \(first); the server remembers none before it")
    }
    if missed > 0 {
      Output.note(
        "apnsim: warning: \(Number.counted(missed, "event")) had left the server's memory and \(missed == 1 ? "is" : "are") missing"
      )
    }
    try result.get()
    if missed > 0 { throw CommandFailure.quiet(.failed) }
  }
}
