import APNSimScenario
import APNSimSystem
import CSupervisor

/// The command line of this process.
enum ProcessArguments {
  /// The program's name and its arguments; empty where neither the system's library nor `/proc` says them.
  static let all: [String] = {
    guard var next = apnsim_command_line() else { return CommandLine.arguments }
    var arguments: [String] = []
    while let argument = next.pointee {
      arguments.append(String(cString: argument))
      next += 1
    }
    return arguments
  }()

  /// The arguments that were given.
  /// - Throws: `CommandFailure` where that cannot be known: it may be anything but to serve.
  static func asked() throws(CommandFailure) -> [String] {
    guard !all.isEmpty else {
      throw CommandFailure(.runtimeError, "cannot read /proc/self/cmdline: is /proc mounted?")
    }
    return Array(all.dropFirst())
  }

  /// Refuses to run without `/proc`. The queues of the runtime look there after a second whether their threads are
  /// blocked, and end the process without a word if nothing is there.
  static func checkSystem() throws(CommandFailure) {
    #if os(Linux)
      guard !SystemPath.exists("/proc/self/stat") else { return }
      throw CommandFailure(
        .runtimeError,
        "cannot read /proc/self/stat, which the runtime needs: is /proc mounted?",
        hints: ["mount -t proc proc /proc, as root, in the root directory that this runs in"]
      )
    #endif
  }
}
