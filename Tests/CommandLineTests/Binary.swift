import Foundation
import Testing

/// The built `apnsim`, run as its users run it.
enum Binary {
  /// The products lie beside the test bundle.
  static let url = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("apnsim")

  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) async throws
    -> Result
  {
    let run = try Run(arguments, in: folder, environment: environment)
    return try await run.end()
  }

  /// One running process. Its output goes to files, so that nothing it writes can block it.
  final class Run: Sendable {
    let process: Process
    private let output: URL
    private let errors: URL
    private let ended: AsyncStream<Int32>

    init(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) throws {
      let name = UUID().uuidString
      output = folder.url.appendingPathComponent("\(name).out")
      errors = folder.url.appendingPathComponent("\(name).err")
      for file in [output, errors] { try Data().write(to: file) }
      let process = Process()
      process.executableURL = Binary.url
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path].merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      process.terminationHandler = {
        continuation.yield($0.terminationStatus)
        continuation.finish()
      }
      ended = stream
      self.process = process
      try process.run()
    }

    func end() async throws -> Result {
      let status = await ended.first { _ in true }
      return Result(
        status: try #require(status),
        output: try String(contentsOf: output, encoding: .utf8),
        errors: try String(contentsOf: errors, encoding: .utf8)
      )
    }
  }
}

/// A folder of one test, gone with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
