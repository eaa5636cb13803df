import APNSimScenario
import APNSimWire
import Foundation

/// Reads a file or stdin, up to a limit.
enum InputFile {
  /// - Parameter path: a file, or `-` for stdin.
  /// - Throws: `CommandFailure` that names the file and what the system says.
  static func bytes(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    let name = path == "-" ? "stdin" : path
    let data: Data
    do {
      let handle =
        path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      data = try read(handle, limit: limit + 1)
    } catch {
      throw CommandFailure(.runtimeError, "\(name): cannot be read: \(FileFailure.reason(error))")
    }
    guard data.count <= limit else {
      throw CommandFailure(.runtimeError, "\(name): is larger than \(Number.grouped(limit)) bytes")
    }
    return Array(data)
  }

  /// A pipe gives what it has; the end is an empty read.
  private static func read(_ handle: FileHandle, limit: Int) throws -> Data {
    var data = Data()
    while data.count < limit, let chunk = try handle.read(upToCount: limit - data.count), !chunk.isEmpty {
      data += chunk
    }
    return data
  }
}
