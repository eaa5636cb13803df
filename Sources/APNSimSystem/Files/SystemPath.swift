package import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The facts of the files that paths lead to, and the calls on their names.
package enum SystemPath {
  /// - Parameter followsLinks: false for the link itself where the path ends in one.
  /// - Returns: nil where there is nothing, or nothing that may be seen.
  package static func facts(_ path: String, followsLinks: Bool = true) -> Stat? {
    try? Stat(path, followTargetSymlink: followsLinks)
  }

  package static func exists(_ path: String) -> Bool { facts(path) != nil }

  package static func isDirectory(_ path: String) -> Bool { facts(path)?.isDirectory == true }

  /// True for what this process may run.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// The reason why a file may not be read; nil where it may be, and where there is none.
  package static func refusal(of path: String) -> SystemError? {
    do throws(SystemError) {
      try call("access", path) { access(path, R_OK) }
      return nil
    } catch {
      return error.isAbsence || error.code == .notDirectory ? nil : error
    }
  }

  /// Reads a file, or the standard input for `-`, to its end or a limit. A pipe is waited for.
  /// - Parameter limit: the most bytes to return.
  package static func bytes(of path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
    let file = path == "-" ? SystemFile.standardInput : try SystemFile(path, .readOnly)
    return try file.rest(upTo: limit)
  }

  /// Gives a file another name, in place of what has that name.
  package static func move(_ path: String, to target: String) throws(SystemError) {
    try call("rename", path) { rename(path, target) }
  }

  /// Removes a file or a link; one that is not there is no error.
  package static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try call("unlink", path) { unlink(path) }
    } catch {
      guard error.isAbsence else { throw error }
    }
  }

  /// The path that a symbolic link has in it; nil for anything else.
  package static func target(ofLink path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// The absolute form of a path.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = SystemFolder.current else { return path }
    return directory + "/" + path
  }
}
