import APNSimCapture
import APNSimScenario
import APNSimSystem
import SystemPackage

/// Runs `tshark` with a key log over packets that it gets through a pipe, and keeps its output.
///
/// It gets the TLS streams alone, in packets that need no reassembly (``TLSTranscript``).
final class TShark {
  private let program: ChildProcess
  private let file: String
  private let said: LineSpool
  /// The error after some output, which stays valid.
  private(set) var failure: ImportError?

  /// Starts it.
  /// - Parameters:
  ///   - keyLog: the file in the format of `SSLKEYLOGFILE`; nil where the capture brings its own.
  /// - Throws: `ImportError` when it is not installed or does not start.
  init(_ file: String, keyLog: String?, path: String) throws(ImportError) {
    guard let program = Self.find(path) else {
      throw ImportError(
        .missingProgram,
        file: file,
        "is TLS, and tshark, which decrypts it with the key log, is not installed",
        hints: ["Debian and Ubuntu: apt-get install tshark; macOS: brew install wireshark"]
      )
    }
    self.file = file
    do throws(SystemError) {
      said = try LineSpool()
    } catch {
      throw Self.unkept(file, error)
    }
    let environment = ["PATH": path, "WIRESHARK_CONFIG_DIR": Self.nowhere, "LC_ALL": "C"]
    do throws(SystemError) {
      self.program = try ChildProcess(
        program,
        Self.arguments(keyLog: keyLog, without: Self.guessers(program, environment)),
        environment: environment
      )
    } catch {
      throw ImportError(.missingProgram, file: program, "does not start: \(error.text)")
    }
  }

  /// A configuration folder that does not exist, because the user's preferences may switch dissectors off or change the
  /// format of times.
  private static var nowhere: String { SystemFolder.temporaryPath() }

  static func find(_ path: String) -> String? {
    path.split(separator: ":").map { "\($0)/tshark" }.first { SystemPath.isExecutable($0) }
  }

  /// The protocols that tshark looks for in what TLS carries before it goes by the port: remote desktops, for one, begin
  /// with the numbers of our commands.
  /// - Returns: an empty list from a tshark that does not list them.
  private static func guessers(_ program: String, _ environment: [String: String]) -> [String] {
    guard let query = try? ChildProcess(program, ["-G", "heuristic-decodes"], environment: environment) else {
      return []
    }
    query.closeInput()
    var text: [UInt8] = []
    while text.count < 1 << 20, let more = try? query.next(upTo: 64 * 1024), !more.isEmpty { text += more }
    return guessers(in: String(decoding: text, as: UTF8.self))
  }

  /// - Parameter list: a line for each: what carries it, its name, and whether it is looked for.
  static func guessers(in list: String) -> [String] {
    var names: [String] = []
    for line in list.split(separator: "\n") {
      let columns = line.split(separator: "\t")
      if columns.count >= 2, columns[0] == "tls" { names.append(String(columns[1])) }
    }
    return names
  }

  private static func arguments(keyLog: String?, without guessers: [String]) -> [String] {
    let port = TLSTranscript.port
    var arguments = ["-n", "-r", "-", "-d", "tcp.port==\(port),tls", "-d", "tls.port==\(port),data"]
    // ALPN would have it dissect what our own reader takes as bytes.
    arguments += ["--disable-protocol", "http2"]
    for name in guessers { arguments += ["--disable-protocol", name] }
    if let keyLog { arguments += ["-o", "tls.keylog_file:\(keyLog)"] }
    arguments += [
      "-Y", "tls", "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,",
    ]
    for field in DecryptedFrame.fields { arguments += ["-e", field] }
    return arguments
  }

  /// Gives it more of the packets.
  /// - Throws: `ImportError` when its output cannot be kept.
  func feed(_ bytes: [UInt8]) throws(ImportError) {
    do throws(SystemError) {
      try program.write(bytes, said.append)
    } catch {
      throw Self.unkept(file, error)
    }
  }

  /// Ends the packets and waits for the rest of the output.
  /// - Throws: `ImportError` with its own words when it fails without output.
  func finish() throws(ImportError) {
    program.closeInput()
    do throws(SystemError) {
      while case let more = try program.next(upTo: 64 * 1024), !more.isEmpty { try said.append(more) }
    } catch {
      throw Self.unkept(file, error)
    }
    let status = program.wait()
    guard status != 0 else { return }
    let error = ImportError(.unreadable, file: file, Self.ending(status, program.errors))
    guard !said.isEmpty else { throw error }
    failure = error
  }

  /// The next packet with TLS in it; nil after the last.
  func next() throws(ImportError) -> DecryptedFrame? {
    do throws(SystemError) {
      while let line = try said.line() {
        if let frame = DecryptedFrame(Substring(line)) { return frame }
      }
      return nil
    } catch {
      guard error.code == .messageTooLong else { throw Self.unkept(file, error) }
      let most = LineSpool.longestLine >> 20
      throw ImportError(.unreadable, file: file, "tshark has written a line of more than \(most) MiB")
    }
  }

  /// ``next()`` begins again with the first.
  func rewind() { said.rewind() }

  private static func unkept(_ file: String, _ error: SystemError) -> ImportError {
    ImportError(
      .unwritable,
      file: file,
      "what tshark says of it cannot be kept in \(SystemFolder.temporary): \(error.text)"
    )
  }

  /// The reason why it ended, in its own words where it has some.
  private static func ending(_ status: Int32, _ words: String) -> String {
    let reason = words.split(separator: "\n").first { $0.hasPrefix("tshark:") } ?? Substring(words)
    let start = reason.drop(while: \.isWhitespace)
    let text = start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    let end = status > 128 ? "tshark was killed (signal \(status - 128))" : "tshark ended with \(status)"
    return text.isEmpty || status > 128 ? end : "\(end): \(text)"
  }
}

/// Text that waits on the disk to be read line by line, and again.
final class LineSpool {
  private let file: UnlinkedFile
  private var place: Int64 = 0
  private var buffer: [UInt8] = []
  private var start = 0

  static let longestLine = 4 << 20

  init() throws(SystemError) { file = try UnlinkedFile() }

  var isEmpty: Bool { file.byteCount == 0 }

  func append(_ bytes: [UInt8]) throws(SystemError) { try file.append(bytes) }

  /// Reading begins again with the first line.
  func rewind() { (place, buffer, start) = (0, [], 0) }

  /// The next line; nil after the last. An unterminated line is none.
  /// - Throws: `EMSGSIZE` for a line that no memory is kept for.
  func line() throws(SystemError) -> String? {
    var sought = start
    while true {
      if let end = buffer[sought...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return String(decoding: buffer[start..<end], as: UTF8.self)
      }
      buffer.removeSubrange(..<start)
      start = 0
      sought = buffer.count
      guard buffer.count < Self.longestLine else { throw SystemError("read", nil, .messageTooLong) }
      let more = try file.read(from: place, upTo: CaptureOutput.piece)
      if more.isEmpty { return nil }
      place += Int64(more.count)
      buffer += more
    }
  }
}
