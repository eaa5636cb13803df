import APNSimTestSupport
import Foundation
import Subprocess
import SystemPackage
import Testing

/// A process that a test starts and looks at while it runs. Its standard output comes through a pipe, so that the
/// pipe's end says that nobody holds it any more: not the process, not what it has started. Its standard error goes to
/// a file, which nobody needs to read for it to go on.
final class Child: Sendable {
  let id: pid_t
  private let output: AsyncStream<String>
  private let errorFile: String
  // The process works in it, and what it has said stands there.
  private let folder: TemporaryDirectory
  private let end: Task<Int32, any Error>

  /// Starts a program in a test's folder.
  init(
    _ program: String,
    _ arguments: [String],
    in folder: TemporaryDirectory,
    environment: [String: String]
  ) async throws {
    let errorFile = folder.file("\(UUID().uuidString).err")
    let errors = try FileDescriptor.open(
      FilePath(errorFile),
      .writeOnly,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    let configuration = Configuration(
      executable: .path(FilePath(program)),
      arguments: Arguments(arguments),
      environment: .custom(
        environment.reduce(into: [:]) { $0[Environment.Key(stringLiteral: $1.key)] = $1.value }
      ),
      workingDirectory: FilePath(folder.path)
    )
    let (output, lines) = AsyncStream.makeStream(of: String.self)
    let (started, start) = AsyncThrowingStream.makeStream(of: pid_t.self)
    self.output = output
    self.errorFile = errorFile
    self.folder = folder
    end = Task {
      defer { withExtendedLifetime(folder) { lines.finish() } }
      do {
        let result = try await Subprocess.run(
          configuration,
          input: .none,
          output: .sequence,
          error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
        ) { execution in
          start.yield(execution.processIdentifier.value)
          var line: [UInt8] = []
          for try await bytes in execution.standardOutput {
            bytes.withUnsafeBytes {
              for byte in $0 {
                line.append(byte)
                guard byte == UInt8(ascii: "\n") else { continue }
                lines.yield(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
              }
            }
          }
          if !line.isEmpty { lines.yield(String(decoding: line, as: UTF8.self)) }
          lines.finish()
        }
        return switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let signal): signal
        }
      } catch {
        start.finish(throwing: error)
        throw error
      }
    }
    var ids = started.makeAsyncIterator()
    guard let id = try await ids.next() else { throw CancellationError() }
    self.id = id
  }

  /// The next line it prints, without its end; nil once nobody holds the pipe any more.
  func line() async -> String? {
    await output.first { _ in true }.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
  }

  /// Everything up to the pipe's end.
  func rest() async -> String { await output.reduce(into: "") { $0 += $1 } }

  /// The exit code, or the number of the signal that killed it.
  func status() async throws -> Int32 { try await end.value }

  /// Its output on standard error so far.
  func errors() throws -> String { try String(contentsOfFile: errorFile, encoding: .utf8) }

  func signal(_ number: Int32) { kill(id, number) }

  /// Sends a signal and returns once it has been taken: of two that wait the system makes one.
  func deliver(_ number: Int32) async throws {
    signal(number)
    let isTaken = try await eventually {
      let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8).split(separator: "\n")
      let pending = status.first { $0.hasPrefix("ShdPnd:") }?.split(separator: "\t").last ?? ""
      return try #require(UInt64(pending, radix: 16)) & (1 << UInt64(number - 1)) == 0
    }
    #expect(isTaken)
  }
}
