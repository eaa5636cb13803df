import APNSimTestSupport
import Foundation
import Testing

/// A server on free ports for one test, told apart from "started" by its first line.
struct RunningServer {
  let folder: TemporaryDirectory
  let endpointsFile: String
  private let child: Child

  /// Starts it and waits for the endpoints that it prints first.
  static func start(_ arguments: [String] = [], in folder: TemporaryDirectory) async throws -> RunningServer {
    let endpointsFile = folder.file("endpoints.json")
    let child = try await Binary.start(
      [
        "serve", "--ephemeral", "--print", "json", "--certs", TestCertificates.path, "--endpoints-file",
        endpointsFile,
      ] + arguments,
      in: folder
    )
    try #require(await child.line()?.hasPrefix("{\"version\":1,") == true, "the server did not start")
    return RunningServer(folder: folder, endpointsFile: endpointsFile, child: child)
  }

  /// Runs a provider command against it.
  func run(_ arguments: [String]) async throws -> Binary.Result {
    try await Binary.run(arguments + ["--endpoints-file", endpointsFile], in: folder)
  }

  /// Its output on stderr so far.
  func errors() throws -> String { try child.errors() }

  /// Ends it as `kill` does and returns its exit status.
  func stop(_ signal: Int32 = SIGTERM) async throws -> Int32 {
    child.signal(signal)
    return try await child.status()
  }
}

/// One set of certificates for all tests of this run.
enum TestCertificates {
  static let path = TemporaryDirectory.ofThisRun.file("command-line-certs")
}
