import Synchronization
package import SystemPackage

/// A file, a pipe or a device that is open. It is closed with the last reference to it, and a program that is started
/// does not inherit it.
///
/// A call that a signal interrupts is made again, and reading and writing go on after a part: no caller sees either.
package final class SystemFile: Sendable {
  /// The path that it was opened at, or a name for messages.
  package let path: String
  /// True for a regular file, which is read and written at any offset; false for a pipe or a device.
  package let isRegular: Bool
  let descriptor: FileDescriptor
  private let isOpen: Atomic<Bool>

  /// - Parameter isOurs: false for a descriptor that stays open.
  init(_ descriptor: FileDescriptor, path: String, isRegular: Bool, isOurs: Bool = true) {
    (self.descriptor, self.path, self.isRegular) = (descriptor, path, isRegular)
    isOpen = Atomic(isOurs)
  }

  /// - Parameter mode: the permissions of a file that is made, less those that the umask takes away.
  package convenience init(
    _ path: String,
    _ access: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions = [],
    mode: UInt32 = 0o600
  ) throws(SystemError) {
    let descriptor = try calling("open", path) {
      try FileDescriptor.open(
        path,
        access,
        options: options.union(.closeOnExec),
        permissions: FilePermissions(rawValue: CInterop.Mode(mode))
      )
    }
    let isRegular = (try? Stat(descriptor))?.isRegular == true
    self.init(descriptor, path: path, isRegular: isRegular)
  }

  /// Opens a regular file under a name of ours: a symbolic link, a pipe or a device there is an error.
  package convenience init(
    ours path: String,
    _ access: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions = []
  ) throws(SystemError) {
    do throws(SystemError) {
      try self.init(path, access, options.union([.noFollow, .nonBlocking]))
    } catch {
      guard error.code == .tooManySymbolicLinkLevels else { throw error }
      throw SystemError("open", path, finding: "it is a symbolic link, and a file was expected")
    }
    guard isRegular else { throw SystemError("open", path, finding: "it is not a regular file") }
  }

  /// Makes a file of ours, for the owner alone, in place of whatever has its name.
  package convenience init(replacing path: String) throws(SystemError) {
    try SystemPath.remove(path)
    try self.init(ours: path, .readWrite, [.create, .exclusiveCreate])
  }

  deinit { try? close() }

  /// Closes the file before the last reference goes, which is how an error of that is seen.
  package func close() throws(SystemError) {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    try calling("close", path) { try descriptor.close() }
  }

  // MARK: Standard streams

  package static let standardInput = SystemFile(standard: .standardInput, "stdin")
  package static let standardOutput = SystemFile(standard: .standardOutput, "stdout")
  package static let standardError = SystemFile(standard: .standardError, "stderr")

  /// A stream is written in order, since others may write to it as well, and have written.
  private convenience init(standard stream: FileDescriptor, _ name: String) {
    self.init(stream, path: name, isRegular: false, isOurs: false)
  }

  /// A copy of a stream that is open, whatever the stream becomes later.
  /// - Parameter path: the name for messages.
  package convenience init(copyOf stream: SystemFile, path: String) throws(SystemError) {
    let copy = try calling("dup", path) { try stream.descriptor.duplicate() }
    self.init(copy, path: path, isRegular: false)
  }

  // MARK: Attributes

  package var facts: Stat {
    get throws(SystemError) {
      do throws(Errno) { return try Stat(descriptor) } catch { throw SystemError("fstat", path, error) }
    }
  }

  /// The size in bytes.
  package var byteCount: Int64 {
    get throws(SystemError) { try facts.size }
  }

  /// True if the path still leads to this file.
  /// - Parameter followsLinks: false if a link to this file does not count.
  package func isInPlace(followsLinks: Bool = true) -> Bool {
    guard let own = try? facts, let found = SystemPath.facts(path, followsLinks: followsLinks) else {
      return false
    }
    return own.identity == found.identity
  }

  /// Cuts a file off, or extends it with zeros.
  package func resize(to byteCount: Int64) throws(SystemError) {
    try calling("ftruncate", path) { try descriptor.resize(to: byteCount) }
  }
}

/// Makes a call of swift-system, all of whose errors are numbers of the system.
func calling<Result>(
  _ operation: String,
  _ path: String?,
  _ body: () throws -> Result
) throws(SystemError) -> Result {
  do { return try body() } catch { throw SystemError(operation, path, error as? Errno ?? .ioError) }
}
