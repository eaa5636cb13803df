/// The look at a file that a user has named to be written, before it is replaced: nothing replaces a recording that is
/// being written to, and no command replaces a recording, key or certificate unless it writes such files itself.
package enum NamedFile {
  /// The kinds of file that are not replaced by others.
  package enum Kind: Sendable {
    /// One of a server; what an import made is another file.
    case recording
    case key
    case keyLog
    /// Anything else.
    case other

    fileprivate var name: String {
      switch self {
      case .recording: "a recording"
      case .key: "a key or certificate"
      case .keyLog: "a key log"
      case .other: "another file"
      }
    }
  }

  /// Looks at the file at a path, if it is a regular one.
  /// - Parameter kind: what is going to be written, which may replace its like.
  /// - Throws: the reason why it must not be replaced.
  package static func check(_ path: String, for kind: Kind) throws(OutputFile.Failure) {
    guard path != "-", let file = OutputFile(lookedAt: path), file.isRegular else { return }
    if file.isLocked {
      let holder = LockHolder.find(inode: file.inode).map { ", \($0)" } ?? ""
      throw OutputFile.Failure(
        path: path,
        reason: "another process is recording to it\(holder)",
        isInUse: true
      )
    }
    let found = Self.kind(of: file)
    guard found != .other, found != kind else { return }
    throw OutputFile.Failure(
      path: path,
      reason: "it is \(found.name), which this does not replace; choose another name, or remove it"
    )
  }

  private static func kind(of file: OutputFile) -> Kind {
    if RecordingContent.isRecording(file) { return .recording }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    bytes.removeSubrange(file.read(into: &bytes, at: 0)...)
    if labels.contains(where: { bytes.starts(with: $0.utf8) }) { return .keyLog }
    return isKey(bytes, of: file.byteCount) ? .key : .other
  }

  private static let beginning = Array("-----BEGIN ".utf8)
  /// The first words of key logs (NSS key log format).
  private static let labels = [
    "CLIENT_RANDOM ", "CLIENT_HANDSHAKE_TRAFFIC_SECRET ", "SERVER_HANDSHAKE_TRAFFIC_SECRET ",
    "CLIENT_TRAFFIC_SECRET_0 ", "SERVER_TRAFFIC_SECRET_0 ", "EXPORTER_SECRET ", "RSA ",
  ]

  /// True for PEM (RFC 7468) at the beginning of a line, and DER as long as the file.
  private static func isKey(_ bytes: [UInt8], of byteCount: Int64) -> Bool {
    if isDER(bytes, of: byteCount) { return true }
    return bytes.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: beginning) }
  }

  /// True for a sequence of a length from 128 bytes on that ends with the file (X.690, section 8.1.3).
  private static func isDER(_ bytes: [UInt8], of byteCount: Int64) -> Bool {
    guard bytes.count > 6, bytes[0] == 0x30, 0x81...0x84 ~= bytes[1] else { return false }
    let count = Int(bytes[1] & 0x7F)
    let length = bytes[2..<2 + count].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return length + Int64(2 + count) == byteCount
  }
}
