import APNSimScenario
import APNSimTLS
import Foundation

/// A capture written once more, without what is secret in it.
enum RedactedCapture {
  /// Writes the capture `input`, line by line, to `output`; nothing of it is left out but what is redacted.
  /// - Parameter keyFile: the key of the pseudonyms, so that several files have the same ones; a new one when nil.
  static func write(_ input: String, to output: String, keyFile: String?) throws {
    let pseudonyms = try Self.pseudonyms(keyFile)
    do throws(CaptureFailure) {
      let reader = try CaptureReader(path: input)
      let file = try CaptureOutput(path: output)
      var redactor = CaptureRedactor(pseudonyms)
      var lines = reader.headerLine.withUnsafeBytes { redactor.redact($0) } + [0x0A]
      while reader.next() != nil {
        lines += reader.withLine { _, line in redactor.redact(line) } + [0x0A]
        guard lines.count > 1 << 16 else { continue }
        try file.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
      try file.write(lines)
      try file.finish()
      if let damage = reader.damage { Output.note("\(damage); everything before it was used") }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Whether a file is a native capture.
  static func isNative(_ path: String) -> Bool { path != "-" && (try? CaptureReader(path: path)) != nil }

  /// AES-SIV of nothing, bound to the token: what comes of it tells nothing of the token without the key.
  private static func pseudonyms(_ keyFile: String?) throws -> TokenPseudonyms {
    var key = (0..<TokenCipher.keySize).map { _ in UInt8.random(in: 0...255) }
    if let keyFile { key = try InputFile.bytes(keyFile, limit: TokenCipher.keySize) }
    let cipher = try TokenCipher(key: key)
    let nobody = [UInt8](repeating: 0, count: TokenCipher.deviceIDSize)
    return TokenPseudonyms { token in
      let name = token.map { String($0, radix: 16) }.joined(separator: ".")
      return cipher.seal(deviceID: nobody, topic: name, environment: "redaction") ?? []
    }
  }
}
