import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// `apnsim decode`: what these bytes are, and what a gateway would say to them.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Show protocol bytes field by field, with the gateway's verdict; uses no network.",
    discussion: """
      Each frame is judged as if it were alone on its connection. On a shared connection, everything after the \
      first refused frame is discarded. The behaviour flags are those of "apnsim serve". What the control API gives as the \
      raw bytes of a request over HTTP/2 is shown as a request.
      """
  )

  /// The sender of the bytes.
  enum Source: String, CaseIterable, ExpressibleByArgument {
    case auto
    case gateway
    case response
    case feedback
  }

  @Argument(help: "The file; - for stdin.", completion: .file())
  var file: String

  @Option(help: "What the file holds: raw bytes, hex (with # comments, or a dump), base64, or auto.")
  var format = InputBytes.Format.auto

  @Option(
    name: .customLong("as"),
    help:
      "gateway (what a provider sends), response (error responses), feedback (tuples); auto tells the first two."
  )
  var source = Source.auto

  @Option(help: "The topic of the provider's certificate.")
  var topic = "com.example.app"

  @OptionGroup(title: "Behaviour") var core: SettingOptions<CoreFlags>
  @OptionGroup var output: OutputOptions

  private static let limit = 64 * 1024 * 1024

  func validate() throws { _ = try FlagAssignments.read(core.values) }

  func run() throws {
    let input = try InputFile.bytes(file, limit: Self.limit)
    let bytes = try InputBytes.read(input, as: format, name: file == "-" ? "stdin" : file)
    guard !bytes.isEmpty else {
      let found = input.isEmpty ? "is empty" : "contains only blanks and comments"
      return Output.note("nothing to decode: the input \(found)")
    }
    if source == .auto, let request = DecodedRequest(bytes) {
      return output.isJSON ? Output.line(request.json) : Output.lines(request.lines(output.style))
    }
    switch source {
    case .response: ReplyDecoder.responses(bytes, show)
    case .feedback: ReplyDecoder.tuples(bytes, show)
    case .auto where bytes.first == ErrorResponse.command && bytes.count % ErrorResponse.byteCount == 0:
      ReplyDecoder.responses(bytes, show)
    case .auto, .gateway: try showStream(bytes)
    }
  }

  private func showStream(_ bytes: [UInt8]) throws {
    let layers = SettingLayers(
      flags: try FlagAssignments.read(core.values),
      environment: ProcessVariables.all
    )
    let decoder = try StreamDecoder(
      configuration: try layers.judging(),
      app: AppKey(topic: topic, environment: .production),
      now: .now
    )
    var summary = DecodeSummary()
    decoder.read(bytes) { piece in
      summary.add(piece)
      if output.isJSON {
        Output.line(piece.json(number: summary.pieceCount))
      } else {
        Output.lines(piece.text(number: summary.pieceCount, output.style) + [""])
      }
    }
    if !output.isJSON { Output.note(summary.text) }
  }

  private func show(_ piece: ReplyDecoder.Piece) {
    if output.isJSON {
      Output.line(piece.json)
    } else {
      Output.line(output.style.paint(piece.heading, .bold))
      Output.lines(AnnotatedHex.render(piece.lines).split(separator: "\n").map { "  " + $0 } + [""])
    }
  }
}

extension InputBytes.Format: ExpressibleByArgument {}

/// The last line of `decode`: how many frames there were and what one connection would have made of them.
struct DecodeSummary {
  private(set) var pieceCount = 0
  private var frames = 0
  private var refused = 0
  /// The number of the first piece that was refused, from 1.
  private var firstRefused: Int?

  mutating func add(_ piece: DecodedPiece) {
    pieceCount += 1
    guard case .notification = piece.kind else { return }
    frames += 1
    guard piece.isRefused else { return }
    refused += 1
    firstRefused = firstRefused ?? pieceCount
  }

  var text: String {
    var text =
      "\(Number.counted(frames, "frame")): \(Number.grouped(frames - refused)) accepted, "
      + "\(Number.grouped(refused)) refused"
    if let firstRefused, firstRefused < pieceCount {
      text += "; on one connection, everything after frame \(firstRefused) would be discarded"
    }
    return text
  }
}
