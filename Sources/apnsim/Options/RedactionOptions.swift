import APNSimCapture
import APNSimServer
import ArgumentParser

/// Whether what is secret stays out of a capture that is written.
struct RedactionOptions: ParsableArguments {
  @Flag(
    help: "Redact secrets: tokens become pseudonyms, payload text is replaced; verdicts stay the same."
  )
  var redact = false

  @Option(
    help: ArgumentHelp(
      "With --redact: a file of 64 random bytes that gives several captures the same pseudonyms.",
      valueName: "file"
    ),
    completion: .file()
  )
  var redactKey: String?

  func validate() throws {
    guard redact || redactKey == nil else { throw ValidationError("--redact-key requires --redact") }
  }

  /// What takes secrets out of lines; nil leaves them.
  func redactor() throws -> JournalRedactor? { redact ? try RedactionKey.redactor(redactKey) : nil }

  /// What becomes of lines before they are written; nil leaves them as they are.
  func filter() throws -> JournalFile.Filter? { try redactor()?.filter }
}
