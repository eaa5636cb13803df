import APNSimSystem
import APNSimTestSupport
import Foundation
import SystemPackage
import Testing

/// The suites that start programs. The others are pure, and `scripts/test-swift` keeps them so.
enum StartingPrograms {}

extension StartingPrograms {
  @Suite struct `A program between two pipes` {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func shell(_ script: String, environment: [String: String] = [:]) throws -> ChildProcess {
      try ChildProcess(
        "/bin/sh",
        ["-c", script],
        environment: environment
      )
    }

    private func all(_ program: ChildProcess) throws -> String {
      var bytes: [UInt8] = []
      while case let more = try program.next(upTo: 3), !more.isEmpty { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `what a program writes is read up to its end, then it has an exit code`() throws {
      let program = try shell(
        "read none || printf 'without input, '; printf \"$WORD\"; printf why >&2; exit 3",
        environment: ["WORD": "output"]
      )
      program.closeInput()
      #expect(try all(program) == "without input, output")
      #expect(program.wait() == 3 && program.wait() == 3)
      #expect(program.errors == "why")
    }

    @Test func `what a program is given comes back, however much both pipes hold`() throws {
      let program = try shell("exec cat")
      let given = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 3) }
      var taken: [UInt8] = []
      try program.write(given) { taken += $0 }
      program.closeInput()
      while case let more = try program.next(upTo: 1 << 16), !more.isEmpty { taken += more }
      #expect(taken == given && program.wait() == 0)
    }

    @Test func `a program that takes no input is not waited for`() throws {
      let program = try shell("exec <&-; printf done")
      try program.write([UInt8](repeating: 0x20, count: 1 << 20)) { #expect($0 == Array("done".utf8)) }
      #expect(program.wait() == 0)
    }

    @Test func `a program between two pipes has nothing but what it is given`() throws {
      let program = try shell("/usr/bin/env | /usr/bin/sort", environment: ["B": "2", "A": "1"])
      let names = try all(program).split(separator: "\n").filter {
        !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") && !$0.hasPrefix("SHLVL=")
      }
      #expect(names == ["A=1", "B=2"])
    }

    @Test func `a signal that ends it is said as a shell does`() throws {
      #expect(try shell("kill -TERM $$").wait() == 128 + SIGTERM)
    }

    @Test func `a program between two pipes ends when nobody reads it any more`() throws {
      var program: ChildProcess? = try shell("echo $$; exec sleep 1000")
      let id = try #require(program.map { String(decoding: try $0.next(upTo: 20), as: UTF8.self) })
      let process = try #require(pid_t(id.dropLast()))
      #expect(kill(process, 0) == 0)
      program = nil
      #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func `what does not start says why`() throws {
      let failure = #expect(throws: SystemError.self) {
        try ChildProcess(folder.file("nothing"), [], environment: [:])
      }
      #expect(failure?.code == .noSuchFileOrDirectory)
    }
  }
}
