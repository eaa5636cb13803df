package import Foundation

/// A directory that is there as long as this is.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove() }

  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// The directory that all tests of this run share; gone when it ends.
  package static let ofThisRun: TemporaryDirectory = {
    guard let directory = try? TemporaryDirectory() else {
      fatalError("no directory can be made in \(FileManager.default.temporaryDirectory.path)")
    }
    atexit { TemporaryDirectory.ofThisRun.remove() }
    return directory
  }()

  package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// The path of a file in it.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Puts a file in place in one step, and returns its path. What it replaces may be open. Nobody waits for the disk, as
  /// Foundation's writing does.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let new = file(".\(UUID().uuidString)")
    guard let output = fopen(new, "w") else { throw CocoaError(.fileWriteUnknown) }
    let count = fwrite(bytes, 1, bytes.count, output)
    guard fclose(output) == 0, count == bytes.count, rename(new, file(name)) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return file(name)
  }

  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  package func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
}
