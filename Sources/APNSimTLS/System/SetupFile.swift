import APNSimSystem
import SystemPackage

/// The calls on the files of certificates, keys and logs, with errors that name the file.
///
/// Files of certificates and keys are small: reading stops at ``sizeLimit``, so that a path to a disk image or to
/// `/dev/zero` is an error instead of exhausted memory.
package enum SetupFile {
  /// The maximum size of a certificate, key or revocation list, in bytes.
  static let sizeLimit = 16 * 1_048_576

  /// The attributes that show a change of a file without reading it. Those of a pipe do not change when it is written to.
  struct Stamp: Hashable, Sendable {
    let identity: Stat.Identity
    /// False for a pipe or a device, which cannot be read twice.
    let isRegular: Bool
    /// The size and the time of the last change of a regular file.
    private let size: Int64?
    private let modified: SystemTime?

    fileprivate init(_ facts: Stat) {
      (identity, isRegular) = (facts.identity, facts.isRegular)
      size = isRegular ? facts.size : nil
      modified = isRegular ? facts.modified : nil
    }
  }

  /// The kinds of file that a read accepts.
  enum Source {
    /// Waits for a pipe's writer.
    case anything
    /// Never waits, whatever the path has come to mean.
    case regularFile
  }

  /// The stamp of a file; nil if there is none.
  static func stamp(_ path: String) -> Stamp? { SystemPath.facts(path).map { Stamp($0) } }

  /// The whole content of a regular file (or pipe) of at most ``sizeLimit`` bytes.
  package static func bytes(of path: String) throws(TLSSetupError) -> [UInt8] { try read(path) }

  static func read(_ path: String, from source: Source = .anything) throws(TLSSetupError) -> [UInt8] {
    let (file, facts): (SystemFile, Stat?)
    do throws(SystemError) {
      // Opening a pipe without this would wait for a writer.
      file = try SystemFile(path, .readOnly, source == .regularFile ? .nonBlocking : [])
      facts = try? file.facts
    } catch {
      throw TLSSetupError(cannotRead: path, error)
    }
    guard facts?.isDirectory != true else {
      throw TLSSetupError(file: path, reason: "is a directory, expected a file")
    }
    guard facts?.isRegular == true || source == .anything else {
      throw TLSSetupError(
        file: path,
        reason: "is not a regular file, and only regular files are read again while apnsim runs"
      )
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try file.rest(upTo: sizeLimit + 1)
    } catch {
      throw TLSSetupError(cannotRead: path, error)
    }
    guard bytes.count <= sizeLimit else {
      throw TLSSetupError(file: path, reason: "is larger than \(sizeLimit) bytes")
    }
    return bytes
  }

  /// Puts a file in place in one step, as `FileReplacement` does.
  /// - Parameter mode: the mode of a file; a device or a pipe keeps its own.
  static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(TLSSetupError) {
    do throws(SystemError) {
      try FileReplacement.write(bytes, to: path, mode: mode)
    } catch {
      throw TLSSetupError(cannotWrite: path, error)
    }
  }

  static func makeDirectory(_ path: String) throws(TLSSetupError) {
    do throws(SystemError) {
      try SystemFolder.make(path, mode: 0o755, modeAbove: 0o755)
    } catch {
      throw TLSSetupError(cannotWrite: path, error)
    }
    guard SystemPath.isDirectory(path) else {
      throw TLSSetupError(cannotWrite: path, reason: "is not a directory")
    }
  }

  /// The names in a directory, sorted; empty when it cannot be read.
  static func names(in directory: String) -> [String] { (try? SystemFolder.names(in: directory)) ?? [] }

  /// Runs `body` while no other process or thread holds the lock file.
  static func withLock<Result>(
    _ path: String,
    _ body: () throws(TLSSetupError) -> Result
  ) throws(TLSSetupError) -> Result {
    let file: SystemFile
    do throws(SystemError) {
      file = try SystemFile(path, .readWrite, .create)
      try file.waitForLock()
    } catch {
      throw TLSSetupError(cannotWrite: path, error)
    }
    defer { try? file.close() }
    return try body()
  }
}
