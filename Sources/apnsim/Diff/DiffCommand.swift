import APNSimCapture
import ArgumentParser

/// `apnsim diff A B`: two captures, what changed for their providers.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two captures in the provider's terms (exit 1 when they differ).",
    discussion: """
      Two notifications are the same if topic, token, identifier and the bytes of the payload are. Compared are which \
      there are, what became of them, how they were sent (command, priority, with or without an expiry), their order \
      on each connection, the error responses, the answers to requests (status, reason, and an apns-id that the \
      provider chose), and the feedback tuples that were read; times, expiry times among \
      them, and connection numbers only if asked. A redacted capture is compared by what redaction leaves.
      """
  )

  @Argument(help: "The first capture, plain or gzip.", completion: .file()) var a: String
  @Argument(help: "The second capture.", completion: .file()) var b: String

  @Flag(help: "Also compare times, from the beginning of each capture.")
  var times = false

  @Flag(help: "Also compare on which connection notifications came, by its number.")
  var connections = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard a != "-" || b != "-" else { throw ValidationError("stdin can be read only once") }
  }

  func run() throws {
    let (first, second) = (try reader(a), try reader(b))
    // Redacted parts cannot be compared.
    let isFilled = first.header.isRedacted || second.header.isRedacted
    let (one, two) = (digest(first, isFilled), digest(second, isFilled))
    let diff = CaptureDiff(one, two, comparesTimes: times, comparesConnections: connections)
    if diff.isPairingTokens {
      Output.note(
        "redacted: payloads are compared by what redaction leaves, and tokens are paired in order of appearance"
      )
    }
    let report = DiffReport(diff: diff, a: (a, one), b: (b, two))
    try report.write(report.entries, output)
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
