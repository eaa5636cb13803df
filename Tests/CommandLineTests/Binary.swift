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

  /// What it finds in its environment: nothing of ours but a path and a home.
  static func environment(_ folder: Folder) -> [String: String] {
    ["PATH": "/usr/bin:/bin", "HOME": folder.url.path]
  }

  /// Starts it.
  static func start(_ arguments: [String], in folder: Folder, environment: [String: String] = [:])
    async throws
    -> Child
  {
    try await Child(
      url.path,
      arguments,
      in: folder,
      environment: Self.environment(folder).merging(environment) { $1 }
    )
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) async throws
    -> Result
  {
    let child = try await start(arguments, in: folder, environment: environment)
    return try await result(of: child)
  }

  /// Runs a shell script, which finds it on its path.
  static func shell(_ script: String, in folder: Folder, environment: [String: String] = [:]) async throws
    -> Result
  {
    let path = "\(url.deletingLastPathComponent().path):/usr/bin:/bin"
    let surroundings = Self.environment(folder).merging(["PATH": path]) { $1 }.merging(environment) { $1 }
    return try await result(
      of: try await Child("/bin/sh", ["-c", script], in: folder, environment: surroundings)
    )
  }

  private static func result(of child: Child) async throws -> Result {
    Result(status: try await child.status(), output: await child.rest(), errors: try child.errors())
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
