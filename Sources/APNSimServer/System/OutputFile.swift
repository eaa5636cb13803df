#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file that is written from its beginning on, piece by piece.
package final class OutputFile: Sendable {
  let path: String
  private let descriptor: CInt

  /// Why a file could not be made or written.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String
    package var description: String { "cannot write \(path): \(reason)" }
  }

  /// Makes the file, or empties it.
  init(path: String, isPrivate: Bool = false) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw Failure(path: path, reason: Platform.describe(errno)) }
  }

  /// What is the standard output now, whatever becomes of it.
  init(standardOutput path: String) throws(Failure) {
    self.path = path
    descriptor = dup(1)
    guard descriptor >= 0 else { throw Failure(path: path, reason: Platform.describe(errno)) }
  }

  deinit { close(descriptor) }

  /// Writes all of it, or returns the reason why not; part of it may stand in the file then.
  func write(_ bytes: UnsafeRawBufferPointer) -> Failure? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = systemWrite(descriptor, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Failure(path: path, reason: Platform.describe(errno)) }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Cuts a regular file off after so many bytes, to be written on from there; nothing happens to pipes and
  /// terminals.
  func truncate(to byteCount: Int64) {
    if ftruncate(descriptor, off_t(byteCount)) == 0 { _ = lseek(descriptor, off_t(byteCount), SEEK_SET) }
  }

  /// Puts a small file in place in one step: whoever opens it sees all of it, or what was there before.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(Platform.processIdentifier).new"
    var failure: Failure?
    do throws(Failure) {
      let file = try OutputFile(path: temporary)
      failure = bytes.withUnsafeBytes { file.write($0) }
    } catch {
      failure = error
    }
    if failure == nil, rename(temporary, path) != 0 {
      failure = Failure(path: path, reason: Platform.describe(errno))
    }
    if let failure {
      unlink(temporary)
      throw Failure(path: path, reason: failure.reason)
    }
  }
}

// Inside the class `write` means the method of that name.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
