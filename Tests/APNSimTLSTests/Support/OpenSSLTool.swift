import Subprocess

/// The `openssl` command, as an independent judge of what we make and speak.
enum OpenSSLTool {
  struct Output: Sendable {
    var status: Int32
    var text: String
  }

  /// Runs `openssl` with these arguments and returns what it said on both outputs.
  static func run(_ arguments: [String], input: String = "") async throws -> Output {
    let result = try await Subprocess.run(
      .name("openssl"),
      arguments: Arguments(arguments),
      // Old keys and versions are tested on purpose, whatever this machine's configuration says.
      environment: .inherit.updating(["OPENSSL_CONF": "/dev/null"]),
      input: .string(input),
      output: .string(limit: 1 << 20),
      error: .combinedWithOutput
    )
    return switch result.terminationStatus {
    case .exited(let code): Output(status: code, text: result.standardOutput)
    case .signaled(let signal): Output(status: 128 + signal, text: result.standardOutput)
    }
  }
}
