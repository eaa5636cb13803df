import APNSimCapture
import APNSimCore
import APNSimImport
import APNSimScenario
import APNSimSystem
import ArgumentParser

/// `apnsim import`: makes a native capture of somebody else's recording.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a native capture of packet captures, HTTP archives, byte streams or hex dumps.",
    discussion: """
      Reads pcap and pcapng (plaintext, or TLS with --keylog through tshark), a provider's bytes as they are (one \
      file is one connection), hex digits and dumps of xxd, hexdump -C, od -t x1, gdb and lldb, and HTTP archives (HAR) of \
      mitmproxy, Charles and browsers; any of them may be gzip. It tells what a file is by its content.

      From packets it reassembles the TCP connections to ports 2195 to 2197 (sandbox: 2295 to 2297), and those to \
      other ports that speak one of the protocols. Where the capture lost bytes, it says how many and where.

      A single native capture is copied whole, with its verdicts and commands. Of several, only the connections and \
      their bytes are combined.
      """
  )

  @Argument(help: "The captures, oldest first; - is stdin.", completion: .file())
  var captures: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "The native capture to write; compressed when its name ends in .gz; - is stdout.",
    completion: .file()
  )
  var outputFile: String

  @Option(help: "What the captures are, where the content misleads.")
  var from: CaptureKind?

  @Option(help: "The topic of the providers (default: what their certificates say, else com.example.app).")
  var topic: String?

  @Option(help: "Which gateway it was (default: by the port, else production).")
  var environment: PushEnvironment?

  @Option(
    help: "The key log (SSLKEYLOGFILE) with the connections' TLS secrets; needs tshark.",
    completion: .file()
  )
  var keylog: String?

  @Option(help: "A port that the gateway listened on; may be repeated. All other ports are then left out.")
  var port: [UInt16] = []

  @Option(
    name: .customLong("feedback-port"),
    help: "A port that the feedback service listened on; may be repeated."
  )
  var feedbackPort: [UInt16] = []

  @Option(
    name: .customLong("http2-port"),
    help: "A port of the HTTP/2 provider API; may be repeated."
  )
  var http2Port: [UInt16] = []

  @Option(
    help:
      "When streams without times began: 2012-06-01T00:00:00Z (default: their files' modification times).",
    transform: Self.moment
  )
  var start: Timestamp?

  @OptionGroup var redaction: RedactionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard captures.filter({ $0 == "-" }).count <= 1 else {
      throw ValidationError("stdin can be read only once")
    }
    if let port = Set(port).intersection(feedbackPort).min() {
      throw ValidationError("port \(port) is either the gateway's (--port) or feedback's (--feedback-port)")
    }
    try SameFile.check([("-o", outputFile)], reading: captures + [keylog, redaction.redactKey])
  }

  /// Writes the native capture.
  func write() async throws -> ImportSummary {
    if let keylog { try Self.check(keyLog: keylog) }
    do {
      return try await ImportRun(self).summary()
    } catch let error as ImportError {
      throw CommandFailure(error)
    } catch let error as CaptureFailure {
      throw CommandFailure(importing: error)
    }
  }

  func run() async throws {
    let summary = try await write()
    if output.isJSON {
      let line = String(decoding: summary.json, as: UTF8.self)
      if outputFile == "-" { Output.note(line) } else { Output.line(line) }
    } else {
      let text = ImportSummaryText(summary, output: outputFile == "-" ? nil : outputFile)
      if outputFile == "-" { text.lines.forEach(Output.note) } else { Output.lines(text.lines) }
      text.notes.forEach(Output.note)
    }
    unused(by: Set(summary.files.map(\.kind))).forEach(Output.note)
  }

  /// The options given that have no meaning for captures of these kinds, a line each.
  private func unused(by kinds: Set<CaptureKind>) -> [String] {
    let copied = kinds == [.journal] ? "native captures keep their own" : nil
    let unpacked = kinds.isDisjoint(with: [.pcap, .pcapng]) ? "it is for packets (pcap, pcapng)" : nil
    let timed = kinds.isDisjoint(with: [.raw, .hex]) ? "it is for streams without times (raw, hex)" : nil
    let reasons = [
      ("--topic", topic != nil, copied), ("--environment", environment != nil, copied),
      ("--keylog", keylog != nil, unpacked), ("--port", !port.isEmpty, unpacked),
      ("--feedback-port", !feedbackPort.isEmpty, unpacked), ("--http2-port", !http2Port.isEmpty, unpacked),
      ("--start", start != nil, timed),
    ]
    return reasons.compactMap { flag, isGiven, reason in
      isGiven ? reason.map { "note: \(flag) is not used: \($0)" } : nil
    }
  }

  /// The options for the library.
  var options: ImportOptions {
    var options = ImportOptions()
    options.kind = from
    options.topic = topic
    options.environment = environment
    options.keyLog = keylog
    options.gatewayPorts = port
    options.feedbackPorts = feedbackPort
    options.requestPorts = http2Port
    options.start = start
    options.searchPath = ProcessVariables["PATH"] ?? ""
    return options
  }

  private static func moment(_ text: String) throws -> Timestamp {
    guard let moment = Timestamp(text) else {
      throw ValidationError("expected a time such as 2012-06-01T00:00:00Z")
    }
    return moment
  }

  private static func check(keyLog: String) throws(CommandFailure) {
    let start: [UInt8]
    do throws(SystemError) {
      // A file that is not there says so, before it is said to be no file.
      start = try SystemPath.bytes(of: keyLog, upTo: CaptureFile.canBeReread(keyLog) ? 64 : 0)
    } catch {
      throw CommandFailure(.runtimeError, "\(keyLog): cannot be read: \(error.text)")
    }
    guard CaptureFile.canBeReread(keyLog) else {
      throw CommandFailure(
        .runtimeError,
        "\(keyLog): expected a file, which tshark can read from its beginning, found a pipe or a device"
      )
    }
    if let other = CaptureKind.nameOfOther(thanKeyLog: start) {
      throw CommandFailure(
        .runtimeError,
        "\(keyLog): expected a key log, lines such as CLIENT_RANDOM …, found \(other)",
        hints: ["SSLKEYLOGFILE=FILE makes a client or apnsim serve write its session secrets to FILE"]
      )
    }
  }
}

extension CaptureKind: ExpressibleByArgument {}
