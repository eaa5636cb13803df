import APNSimScenario
import ArgumentParser

/// `apnsim diff A B`: two captures, what changed for their providers.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two captures in the provider's terms (exit 1 when they differ).",
    discussion: """
      Notifications are the same when topic, token, payload and identifier are. What is compared is which there are, \
      what became of them, how they were sent (command, priority, with an expiry or without), their order on each \
      connection, and the error responses; not when, nor the numbers of connections, unless asked. A redacted capture is compared by what redaction leaves.
      """
  )

  @Argument(help: "A capture, plain or gzip.", completion: .file()) var a: String
  @Argument(help: "The one to compare it with.", completion: .file()) var b: String

  @Flag(help: "Compare when notifications came, since the beginning of each capture.")
  var times = false

  @Flag(help: "Compare on which connection they came, by its number.")
  var connections = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard a != "-" || b != "-" else { throw ValidationError("stdin can be read once only") }
  }

  func run() throws {
    let (first, second) = (try reader(a), try reader(b))
    // Of what redaction takes away nothing can be compared.
    let isFilled = first.header.isRedacted || second.header.isRedacted
    let (one, two) = (digest(first, isFilled), digest(second, isFilled))
    let diff = CaptureDiff(one, two, comparesTimes: times, comparesConnections: connections)
    if diff.isPairingTokens {
      Output.note(
        "redacted: payloads are compared by what redaction leaves, tokens are paired as they come first"
      )
    }
    if output.isJSON {
      DiffText.json(diff, one, two) { Output.bytes($0) }
    } else {
      Output.lines(DiffText.lines(diff, (a, one), (b, two), output.style))
    }
    guard diff.isSame else { throw CommandFailure.quiet(.failed) }
  }

  private func reader(_ path: String) throws(CommandFailure) -> CaptureReader {
    do throws(CaptureFailure) { return try CaptureReader(path: path) } catch { throw CommandFailure(error) }
  }

  private func digest(_ reader: CaptureReader, _ isFilled: Bool) -> CaptureDigest {
    let bar = CaptureProgress([reader.path])
    defer { bar.finish() }
    let digest = CaptureDigest(reader, isFilled: isFilled) { bar.update($0, of: reader.path) }
    if let damage = digest.damage { Output.note("\(damage); everything before it was used") }
    return digest
  }
}
