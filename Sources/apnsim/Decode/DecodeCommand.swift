import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser
import Foundation

/// `apnsim decode`: what these bytes are, and what a gateway would say to them.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Show protocol bytes field by field, with the gateway's verdict; uses no network.",
    discussion: """
      Each frame is judged as if it were alone on its connection. On a shared connection, everything after the \
      first refused frame is discarded. The behaviour flags are those of "apnsim serve".
      """
  )

  /// Whose bytes they are.
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

  @OptionGroup(title: "Behaviour") var core: CoreSettingOptions
  @OptionGroup var output: OutputOptions

  private static let limit = 64 * 1024 * 1024

  func validate() throws { _ = try FlagAssignments.read(core.values) }

  func run() throws {
    let input = try InputFile.bytes(file, limit: Self.limit)
    try refuseCapture(input)
    guard let bytes = InputBytes.read(input, as: format) else { throw unreadable(input) }
    guard !bytes.isEmpty else {
      let found = input.isEmpty ? "is empty" : "contains only blanks and comments"
      return Output.note("nothing to decode: the input \(found)")
    }
    switch source {
    case .response: ReplyDecoder.responses(bytes, show)
    case .feedback: ReplyDecoder.tuples(bytes, show)
    case .auto where bytes.first == ErrorResponse.command && bytes.count % ErrorResponse.byteCount == 0:
      ReplyDecoder.responses(bytes, show)
    case .auto, .gateway: try showStream(bytes)
    }
  }

  private var name: String { file == "-" ? "stdin" : file }

  /// Why it is not of the format that was said.
  private func unreadable(_ input: [UInt8]) -> CommandFailure {
    do throws(HexDump.Problem) {
      if format == .hex { _ = try HexDump.bytes(of: input[...]) }
      return CommandFailure(.runtimeError, "\(name): is not \(format.rawValue)")
    } catch {
      return CommandFailure(
        .runtimeError,
        "\(name)\(error.place): \(error.message)",
        hints: error.hint.map { [$0] } ?? []
      )
    }
  }

  /// What holds frames among other things is no stream of them.
  private func refuseCapture(_ input: [UInt8]) throws(CommandFailure) {
    guard format == .auto else { return }
    let beginnings: [([UInt8], String)] = [
      ([0x1F, 0x8B], "a compressed file"), (Array("{\"apnsim\":".utf8), "a native capture"),
      ([0x0A, 0x0D, 0x0D, 0x0A], "packets (pcapng)"), ([0xD4, 0xC3, 0xB2, 0xA1], "packets (pcap)"),
      ([0xA1, 0xB2, 0xC3, 0xD4], "packets (pcap)"), ([0x4D, 0x3C, 0xB2, 0xA1], "packets (pcap)"),
      ([0xA1, 0xB2, 0x3C, 0x4D], "packets (pcap)"),
    ]
    guard let found = beginnings.first(where: { input.starts(with: $0.0) }) else { return }
    throw CommandFailure(
      .runtimeError,
      "\(name): expected protocol bytes, found \(found.1)",
      hints: ["\"apnsim replay FILE --offline\" judges every frame of a capture; \"apnsim import\" makes one"]
    )
  }

  private func showStream(_ bytes: [UInt8]) throws {
    let layers = SettingLayers(
      flags: try FlagAssignments.read(core.values),
      environment: ProcessInfo.processInfo.environment
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
