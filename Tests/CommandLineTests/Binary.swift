import APNSimTestSupport
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

  /// Its environment: nothing of ours but a path and a home.
  static func environment(_ folder: TemporaryDirectory) -> [String: String] {
    ["PATH": "/usr/bin:/bin", "HOME": folder.path]
  }

  /// Starts it.
  static func start(_ arguments: [String], in folder: TemporaryDirectory, environment: [String: String] = [:])
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
  static func run(_ arguments: [String], in folder: TemporaryDirectory, environment: [String: String] = [:])
    async throws
    -> Result
  {
    let child = try await start(arguments, in: folder, environment: environment)
    return try await result(of: child)
  }

  /// Runs a shell script, which finds it on its path.
  static func shell(_ script: String, in folder: TemporaryDirectory, environment: [String: String] = [:])
    async throws
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
