import APNSimScenario
import APNSimTLS
import Foundation
import Synchronization

/// The two ways out: results on stdout, talk on stderr. A reader that has gone away is no error.
enum Output {
  /// Why stdout took no more, as the system counts errors; 0 while it takes everything.
  private static let error = Atomic<Int32>(0)

  static func line(_ text: String) { bytes(Array((text + "\n").utf8)) }

  static func lines(_ lines: [String]) {
    if !lines.isEmpty { line(lines.joined(separator: "\n")) }
  }

  static func bytes(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while isOpen, !rest.isEmpty {
      guard let room = roomOnceRead else {
        // Whoever has ended the command does not wait for somebody who reads nothing.
        return error.store(EPIPE, ordering: .relaxed)
      }
      if !POSIXFile.append(Array(rest.prefix(room)), to: STDOUT_FILENO) {
        error.store(errno, ordering: .relaxed)
      }
      rest = rest.dropFirst(room)
    }
  }

  /// How many bytes stdout takes without making us wait, once somebody has read enough for that; nil where the command
  /// is to end and nobody does.
  private static var roomOnceRead: Int? {
    guard isPipe else { return .max }
    var stream = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    while poll(&stream, 1, patience) == 0 { if Interruption.hasCome { return nil } }
    // A pipe that says so has room for a page.
    return 4096
  }

  /// Milliseconds after which it is looked whether the command is to end.
  private static let patience: Int32 = 200

  private static let isPipe: Bool = {
    var facts = stat()
    return fstat(STDOUT_FILENO, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
  }()

  /// Whether results still reach somebody.
  static var isOpen: Bool { error.load(ordering: .relaxed) == 0 }

  /// Whether somebody may still read what is written: a pipe whose reader has gone says so even where there is
  /// nothing to write.
  static var isRead: Bool {
    var stream = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return isOpen && !(isPipe && poll(&stream, 1, 0) == 1 && stream.revents & Int16(POLLERR) != 0)
  }

  /// Returns when nobody reads any more, or when the task is cancelled.
  static func untilUnread() async {
    while isRead, (try? await Task.sleep(for: .milliseconds(Int(patience)))) != nil {}
  }

  /// What a command ends with whose results did not all reach their place; nil where they did, or nobody wants them.
  static var failure: CommandFailure? {
    let code = error.load(ordering: .relaxed)
    guard code != 0, code != EPIPE else { return nil }
    return CommandFailure(.cannotWrite, "stdout: cannot be written: \(FileFailure.words(of: code))")
  }

  /// Puts something in the place of streams that were closed: the next file that is opened would be taken for one.
  static func holdPlaces() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The other way round than it is used, so that using it stays an error.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// A line of talk.
  static func note(_ text: String) { talk(text + "\n") }

  /// Talk that stays on its line, such as a progress bar.
  static func talk(_ text: String) { _ = POSIXFile.append(Array(text.utf8), to: STDERR_FILENO) }

  /// Whether people read it there, rather than a file or a program.
  static func isTerminal(_ handle: FileHandle) -> Bool { isatty(handle.fileDescriptor) == 1 }
}
