import APNSimCapture
import APNSimCore
import APNSimWire

/// A redacted capture has the same entries: as many, of the same kinds, at the same times, with as many
/// bytes on the same connections. Redacted twice, it is the same both times. Texts that look like tokens are taken for
/// some, whatever they are; a line that is not JSON, which reading does not always notice, is none to redact.
enum RedactionProperty {
  static func violation(_ input: [UInt8]) -> String? {
    guard let (original, lines) = read(input), lines.allSatisfy({ (try? JSONValue.parse($0)) != nil }) else {
      return nil
    }
    let redacted = redact(lines)
    guard redacted == redact(lines) else { return "the second time gives something else" }
    guard let (found, _) = read(redacted) else { return "what is redacted is no capture" }
    if found == original { return nil }
    let index = zip(found, original).prefix { $0 == $1 }.count
    guard index < found.count, index < original.count else {
      return "\(original.count) entries come back as \(found.count)"
    }
    return "entry \(index + 1), \(original[index]), comes back as \(found[index])"
  }

  /// The part of an entry that redaction leaves.
  private struct Shape: Equatable {
    var entry: CaptureEntry
    var byteCount: Int

    /// A topic that is written as a bundle ID stays, unless it has something in it that looks like a token; of any other
    /// text its length does.
    private static func kept(_ topic: String) -> String {
      let hexDigits = topic.utf8.split { !($0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit) }
      let isBundleId = topic.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
      return isBundleId && hexDigits.allSatisfy { $0.count < 32 }
        ? topic : String(repeating: "?", count: topic.utf8.count)
    }

    init(_ entry: CaptureEntry) {
      (self.entry, byteCount) = (entry, 0)
      (self.entry.line, self.entry.offset) = (0, 0)
      switch entry.kind {
      case .bytesIn(let id, let bytes, let dropped, let notification):
        byteCount = bytes.count
        self.entry.kind = .bytesIn(id, [], dropped: dropped, notification: notification)
      case .bytesOut(let id, let bytes):
        byteCount = bytes.count
        self.entry.kind = .bytesOut(id, [])
      case .connectionOpened(var connection):
        connection.provider.subject = ""
        connection.provider.topics = connection.provider.topics.map(Self.kept)
        (connection.peer, connection.tlsVersion, connection.cipher) = ("", "", "")
        self.entry.kind = .connectionOpened(connection)
      case .command: self.entry.kind = .command([])
      case .other: self.entry.kind = .other("")
      case .stream, .bytesMissing, .framesFound, .captureEnded, .inputEnded, .connectionClosed: break
      }
    }
  }

  private static func read(_ bytes: [UInt8]) -> (shapes: [Shape], lines: [[UInt8]])? {
    guard let reader = try? CaptureReader(name: "fuzzed", bytes: bytes) else { return nil }
    var shapes: [Shape] = []
    var lines = [reader.headerLine]
    while let entry = reader.next() {
      shapes.append(Shape(entry))
      lines.append(reader.withLine { _, line in Array(line) })
    }
    return (shapes, lines)
  }

  private static func redact(_ lines: [[UInt8]]) -> [UInt8] {
    var redactor = CaptureRedactor(TokenPseudonyms { token in token.map { $0 ^ 0x5A } }, holding: 4096)
    var output: [UInt8] = []
    for line in lines { line.withUnsafeBytes { redactor.redact($0, into: &output) } }
    redactor.finish(into: &output)
    return output
  }
}
