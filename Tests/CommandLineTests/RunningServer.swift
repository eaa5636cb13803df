import Foundation
import Testing

/// A server on free ports for one test, told apart from "started" by its first line.
struct RunningServer {
  let folder: Folder
  let process: Process
  let endpointsFile: String

  /// Starts it and waits for the endpoints that it prints first.
  static func start(_ arguments: [String] = [], in folder: Folder) async throws -> RunningServer {
    let process = Process()
    process.executableURL = Binary.url
    let endpointsFile = folder.path("endpoints.json")
    process.arguments =
      [
        "serve", "--ephemeral", "--print", "json", "--certs", TestCertificates.path, "--endpoints-file",
        endpointsFile,
      ]
      + arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    let errors = folder.url.appendingPathComponent("server.err")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let reader = pipe.fileHandleForReading
    let line = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: reader.availableData) }
    }
    try #require(
      String(decoding: line, as: UTF8.self).hasPrefix("{\"version\":1,"),
      "the server did not start"
    )
    return RunningServer(folder: folder, process: process, endpointsFile: endpointsFile)
  }

  /// Runs a provider command against it.
  func run(_ arguments: [String]) async throws -> Binary.Result {
    try await Binary.run(arguments + ["--endpoints-file", endpointsFile], in: folder)
  }

  /// What it has said on stderr.
  func errors() throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("server.err"), encoding: .utf8)
  }

  /// Ends it as `kill` does and returns its exit status.
  func stop(_ signal: Int32 = SIGTERM) async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        continuation.resume(returning: process.terminationStatus)
      }
    }
  }
}

/// One set of certificates for all tests of this run.
enum TestCertificates {
  static let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("apnsim-test-certs-\(ProcessInfo.processInfo.processIdentifier)").path
}
