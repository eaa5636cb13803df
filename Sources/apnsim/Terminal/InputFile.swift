import APNSimScenario
import APNSimSystem
import APNSimWire

/// Reads a file or stdin, up to a limit.
enum InputFile {
  /// - Parameter path: a file, or `-` for stdin.
  /// - Throws: `CommandFailure` that names the file and what the system says.
  static func bytes(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    let name = path == "-" ? "stdin" : path
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemPath.bytes(of: path, upTo: limit + 1)
    } catch {
      throw CommandFailure(.runtimeError, "\(name): cannot be read: \(error.text)")
    }
    guard bytes.count <= limit else {
      throw CommandFailure(.runtimeError, "\(name): is larger than \(Number.grouped(limit)) bytes")
    }
    return bytes
  }
}
