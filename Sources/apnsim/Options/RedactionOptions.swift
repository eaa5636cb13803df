import APNSimScenario
import APNSimServer
import ArgumentParser

/// Whether what is secret stays out of a capture that is written.
struct RedactionOptions: ParsableArguments {
  @Flag(
    help: "Leave out what is secret: tokens become pseudonyms, payloads are filled; verdicts stay the same."
  )
  var redact = false

  @Option(
    help: "With --redact: a file of 64 random bytes, so that several captures get the same pseudonyms.",
    completion: .file()
  )
  var redactKey: String?

  func validate() throws {
    guard redact || redactKey == nil else { throw ValidationError("--redact-key goes with --redact") }
  }

  /// What takes secrets out of lines; nil leaves them.
  func redactor() throws -> JournalRedactor? { redact ? try RedactionKey.redactor(redactKey) : nil }

  /// What becomes of lines before they are written; nil leaves them as they are.
  func filter() throws -> JournalFile.Filter? { try redactor()?.filter }
}
