import APNSimScenario
import APNSimSystem
import APNSimTLS
import APNSimWire
import Synchronization
import SystemPackage

/// Results go to stdout, messages to stderr. A reader that has gone away is no error.
enum Output {
  /// The number of the error with which stdout refused to take more; 0 while it takes everything.
  private static let error = Atomic<Int32>(0)

  /// Writes a line to stdout; what a terminal would obey in it is made visible, and a private key is not shown.
  static func line(_ text: String) { bytes(Array((shown(text) + "\n").utf8)) }

  /// A result as it is shown. What is said on stderr shows nothing that is as long as a line of a key either.
  static func shown(_ text: String, isMessage: Bool = false) -> String {
    TerminalText.safe(KeyText.hidden(text, withLines: isMessage))
  }

  static func lines(_ lines: [String]) {
    if !lines.isEmpty { line(lines.joined(separator: "\n")) }
  }

  /// Writes JSON in whole lines to stdout, with what a terminal would obey escaped and no private key.
  static func json(_ lines: [UInt8]) { bytes(Array(shown(String(decoding: lines, as: UTF8.self)).utf8)) }

  /// Writes to stdout as it is: a file's content, which is ours or is meant for a program, and what has been made safe.
  static func file(_ content: [UInt8]) { bytes(content) }

  private static func bytes(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while isOpen, !rest.isEmpty {
      guard let room = roomOnceRead else {
        // After a signal or a timeout nobody waits for a reader that does not read.
        return error.store(Errno.brokenPipe.rawValue, ordering: .relaxed)
      }
      do throws(SystemError) {
        try SystemFile.standardOutput.write(Array(rest.prefix(room)))
      } catch {
        self.error.store((error.code ?? .ioError).rawValue, ordering: .relaxed)
      }
      rest = rest.dropFirst(room)
    }
  }

  /// The number of bytes that stdout takes without blocking, once its reader has made room; nil if the command is to
  /// end first.
  private static var roomOnceRead: Int? {
    guard isPipe else { return .max }
    while !SystemFile.standardOutput.hasRoom(within: patience) { if Interruption.hasCome { return nil } }
    // A pipe that says so has room for a page.
    return 4096
  }

  /// The interval in milliseconds at which a blocked write checks whether the command is to end.
  private static let patience: Int32 = 200

  private static let isPipe = (try? SystemFile.standardOutput.facts)?.isRegular == false

  /// True while results still reach a reader.
  static var isOpen: Bool { error.load(ordering: .relaxed) == 0 }

  /// True while somebody may still read the results; a pipe without a reader is noticed even when there is nothing to
  /// write.
  static var isRead: Bool {
    isOpen && !(isPipe && SystemFile.standardOutput.hasLostReader)
  }

  /// Returns when nobody reads any more, or when the task is cancelled.
  static func untilUnread() async {
    while isRead, (try? await Task.sleep(for: .milliseconds(Int(patience)))) != nil {}
  }

  /// The failure of a command whose results could not all be written; nil if they were, or if their reader has gone.
  static var failure: CommandFailure? {
    let code = Errno(rawValue: error.load(ordering: .relaxed))
    guard code.rawValue != 0, code != .brokenPipe else { return nil }
    return CommandFailure(.cannotWrite, "stdout: cannot be written: \(code)")
  }

  /// Writes a line to stderr; what a terminal would obey in it is made visible, and a private key is not shown.
  static func note(_ text: String) { talk(shown(text, isMessage: true) + "\n") }

  /// Shows a line of progress on stderr in place of the one before it.
  static func progress(_ line: String) { talk("\r" + shown(line, isMessage: true)) }

  /// Takes the line of progress away.
  static func clearProgress() { talk("\r\u{1B}[K") }

  private static func talk(_ text: String) { try? SystemFile.standardError.write(Array(text.utf8)) }
}
