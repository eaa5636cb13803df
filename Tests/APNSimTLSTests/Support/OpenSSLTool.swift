import Foundation

/// The `openssl` command, as an independent judge of what we make and speak.
enum OpenSSLTool {
  struct Output: Sendable {
    var status: Int32
    var text: String
  }

  /// Runs `openssl` with these arguments and returns what it said on both outputs.
  static func run(_ arguments: [String], input: String = "") async throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    // Old keys and versions are tested on purpose, whatever this machine's configuration says.
    process.environment = ProcessInfo.processInfo.environment.merging(["OPENSSL_CONF": "/dev/null"]) { $1 }
    let stdin = Pipe()
    let stdout = Pipe()
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stdout
    try process.run()
    stdin.fileHandleForWriting.write(Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let data = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        continuation.resume(
          returning: Output(status: process.terminationStatus, text: String(decoding: data, as: UTF8.self))
        )
      }
    }
  }
}
