import APNSimCapture
import APNSimServer
import APNSimTLS
import APNSimWire
import ArgumentParser

/// The options that keep secrets out of a capture that is written.
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

  /// The redactor of lines; nil leaves them unchanged.
  func redactor() throws -> JournalRedactor? { redact ? try RedactionKey.redactor(redactKey) : nil }

  /// The redactor as a filter of lines before they are written; nil leaves them unchanged.
  func filter() throws -> JournalFile.Filter? { try redactor()?.filter }
}

/// The key from which tokens' pseudonyms are derived: the same key gives the same pseudonyms.
enum RedactionKey {
  /// - Parameter file: 64 random bytes, so that several captures have the same pseudonyms; a new key when nil.
  static func pseudonyms(_ file: String?) throws -> TokenPseudonyms {
    var key = (0..<TokenCipher.keySize).map { _ in UInt8.random(in: 0...255) }
    if let file {
      do throws(CommandFailure) {
        key = try InputFile.bytes(file, limit: TokenCipher.keySize)
      } catch {
        throw CommandFailure(.badConfiguration, error.message, hints: error.hints)
      }
      guard key.count == TokenCipher.keySize else {
        throw CommandFailure(
          .badConfiguration,
          "\(file): expected a key of \(TokenCipher.keySize) bytes, found \(key.count)",
          hints: ["head -c \(TokenCipher.keySize) /dev/urandom >\(file) makes one"]
        )
      }
    }
    // AES-SIV of an empty plaintext, bound to the token: without the key, the result tells nothing of the token.
    let cipher = try TokenCipher(key: key)
    let nobody = [UInt8](repeating: 0, count: TokenCipher.deviceIDSize)
    return TokenPseudonyms { token in
      cipher.seal(deviceID: nobody, topic: Hex.encode(token), environment: "redaction") ?? []
    }
  }

  static func redactor(_ file: String?) throws -> JournalRedactor { JournalRedactor(try pseudonyms(file)) }
}
