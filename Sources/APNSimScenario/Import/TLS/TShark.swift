import Foundation

/// Runs `tshark` to decrypt the TLS of a capture with its key log, and reads what it says line by line.
final class TShark {
  private let program: PipedProgram
  private let file: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var hasFrames = false
  /// What went wrong after it had said something: what it said is good.
  private(set) var failure: ImportError?

  /// A frame is at most 256 KiB, written in hex digits.
  private static let longestLine = 4 << 20

  /// Starts it.
  /// - Parameters:
  ///   - keyLog: the file in the format of `SSLKEYLOGFILE`; nil where the capture brings its own.
  ///   - ports: where TLS is spoken.
  /// - Throws: `ImportError` when it is not installed or does not start.
  init(_ file: String, keyLog: String?, ports: [UInt16], path: String) throws(ImportError) {
    guard let program = Self.find(path) else {
      throw ImportError(
        .missingProgram,
        file: file,
        "is TLS, and tshark, which decrypts it with the key log, is not installed",
        hints: ["Debian and Ubuntu: apt-get install tshark; macOS: brew install wireshark"]
      )
    }
    self.file = file
    do {
      self.program = try PipedProgram(
        program,
        Self.arguments(file, keyLog: keyLog, ports: ports),
        environment: ["PATH": path, "WIRESHARK_CONFIG_DIR": Self.nowhere, "LC_ALL": "C"]
      )
    } catch {
      throw ImportError(.missingProgram, file: program, "does not start: \(FileFailure.reason(error))")
    }
  }

  /// A folder that is not there: somebody's preferences may switch dissectors off or write times differently.
  private static var nowhere: String {
    FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-\(UUID().uuidString)").path
  }

  static func find(_ path: String) -> String? {
    path.split(separator: ":").map { "\($0)/tshark" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func arguments(_ file: String, keyLog: String?, ports: [UInt16]) -> [String] {
    var arguments = [
      "-n", "-r", file, "-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.relative_sequence_numbers:FALSE",
    ]
    if let keyLog { arguments += ["-o", "tls.keylog_file:\(keyLog)"] }
    for port in ports { arguments += ["-d", "tcp.port==\(port),tls", "-d", "tls.port==\(port),data"] }
    arguments += [
      "-Y", "tls", "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,",
    ]
    for field in DecryptedFrame.fields { arguments += ["-e", field] }
    return arguments
  }

  /// The next frame with TLS in it; nil at the end, which may be that of what it could read.
  /// - Throws: `ImportError` with its own words when it fails at once.
  func next() throws(ImportError) -> DecryptedFrame? {
    while let line = try line() {
      guard let frame = DecryptedFrame(Substring(line)) else { continue }
      hasFrames = true
      return frame
    }
    let status = program.wait()
    if status != 0 {
      let error = ImportError(.unreadable, file: file, Self.ending(status, program.errors))
      guard hasFrames else { throw error }
      failure = error
    }
    return nil
  }

  /// What became of it, in its own words where it has some.
  private static func ending(_ status: Int32, _ words: String) -> String {
    let reason = words.split(separator: "\n").first { $0.hasPrefix("tshark:") } ?? Substring(words)
    let text = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    let end = status > 128 ? "tshark was killed (signal \(status - 128))" : "tshark ended with \(status)"
    return text.isEmpty || status > 128 ? end : "\(end): \(text)"
  }

  private func line() throws(ImportError) -> String? {
    while true {
      if let end = buffer[start...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return String(decoding: buffer[start..<end], as: UTF8.self)
      }
      if isAtEnd { return nil }
      buffer.removeSubrange(..<start)
      start = 0
      guard buffer.count < Self.longestLine else {
        throw ImportError(
          .unreadable,
          file: file,
          "tshark wrote a line of more than \(Self.longestLine) bytes"
        )
      }
      let more: [UInt8]
      do {
        more = try program.next(upTo: 64 * 1024)
      } catch {
        throw ImportError(.unreadable, file: file, "tshark cannot be read: \(FileFailure.reason(error))")
      }
      isAtEnd = more.isEmpty
      buffer += more
    }
  }
}
