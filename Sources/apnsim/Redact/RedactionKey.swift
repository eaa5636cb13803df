import APNSimCapture
import APNSimTLS
import APNSimWire

/// What makes pseudonyms of tokens: one key, the same pseudonyms.
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
    // AES-SIV of nothing, bound to the token: what comes of it tells nothing of the token without the key.
    let cipher = try TokenCipher(key: key)
    let nobody = [UInt8](repeating: 0, count: TokenCipher.deviceIDSize)
    return TokenPseudonyms { token in
      cipher.seal(deviceID: nobody, topic: Hex.encode(token), environment: "redaction") ?? []
    }
  }

  static func redactor(_ file: String?) throws -> JournalRedactor { JournalRedactor(try pseudonyms(file)) }
}
