import Foundation
import Testing

/// `apnsim exec` as a process: its output comes through a pipe, so that the pipe's end says that nobody holds it any
/// more: not apnsim, not the command, not what the command has started.
final class ExecProcess: Sendable {
  let folder: Folder
  let process: Process
  private let lines: AsyncStream<String>
  private let output: Pipe
  private let ended: AsyncStream<Int32>

  /// Keys are made once for all tests.
  private static let cache = FileManager.default.temporaryDirectory
    .appendingPathComponent("apnsim-test-cache-\(ProcessInfo.processInfo.processIdentifier)").path

  /// What a test's `apnsim exec` finds in its environment.
  static func environment(_ folder: Folder) -> [String: String] {
    [
      "PATH": "\(Binary.url.deletingLastPathComponent().path):/usr/bin:/bin", "HOME": folder.url.path,
      "TMPDIR": folder.url.path, "XDG_CACHE_HOME": cache,
    ]
  }

  init(_ arguments: [String], in folder: Folder) throws {
    self.folder = folder
    process = Process()
    process.executableURL = Binary.url
    process.arguments = ["exec"] + arguments
    process.currentDirectoryURL = folder.url
    process.environment = Self.environment(folder)
    process.standardInput = FileHandle.nullDevice
    let errors = folder.url.appendingPathComponent("exec.err")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    output = Pipe()
    process.standardOutput = output
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      continuation.yield($0.terminationStatus)
      continuation.finish()
    }
    ended = stream
    lines = Self.lines(of: output.fileHandleForReading)
    try process.run()
    // Ours; the others have theirs.
    try output.fileHandleForWriting.close()
  }

  private static func lines(of handle: FileHandle) -> AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var pending = Data()
        while let chunk = try? handle.read(upToCount: 1), !chunk.isEmpty {
          guard chunk != Data("\n".utf8) else {
            continuation.yield(String(decoding: pending, as: UTF8.self))
            pending.removeAll()
            continue
          }
          pending += chunk
        }
        continuation.finish()
      }
    }
  }

  /// The next line; nil once nobody holds the pipe any more.
  func line() async -> String? {
    var iterator = lines.makeAsyncIterator()
    return await iterator.next()
  }

  /// Everything up to the pipe's end.
  func rest() async -> [String] {
    var all: [String] = []
    while let line = await line() { all.append(line) }
    return all
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The exit code, or the number of the signal that killed it. To be asked once.
  func status() async -> Int32? { await ended.first { _ in true } }

  func errors() throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("exec.err"), encoding: .utf8)
  }

  /// What it has left in the temporary directory.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("apnsim-exec") }
  }
}
