import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The replacement of a file in one step: it is written beside its place, then renamed, so that whoever opens it sees
/// the old content or the new, never a part.
///
/// Only a regular file, or one that does not exist yet, is replaced; through a symbolic link it is the target. A
/// device or a pipe is written directly.
package struct FileReplacement: Sendable {
  /// The path to write to.
  package let draft: String
  /// The path that the draft gets in the end; nil if the draft is the file itself.
  private let target: String?
  /// Mode, owner and group of the file to be replaced; nil if there is none.
  private let access: (mode: mode_t, owner: uid_t, group: gid_t)?

  package init(of path: String) {
    var facts = stat()
    let isReplaceable = stat(path, &facts) == 0 ? facts.st_mode & S_IFMT == S_IFREG : errno == ENOENT
    let target = Self.followed(path)
    // A path in /proc means a file that is open already, and a replacement would not be that file.
    guard isReplaceable, !target.hasPrefix("/proc/") else {
      (draft, self.target, access) = (path, nil, nil)
      return
    }
    let isThere = facts.st_mode & S_IFMT == S_IFREG
    access = isThere ? (facts.st_mode & 0o7777, facts.st_uid, facts.st_gid) : nil
    var suffix: [UInt8] = [0, 0, 0, 0, 0, 0]
    RAND_bytes(&suffix, 6)
    draft = target + ".new-" + Hexadecimal.text(suffix)
    self.target = target
  }

  /// True if the old file stays until ``commit()``.
  var isBeside: Bool { target != nil }

  /// The mode with which to make the draft: that of the umask for a new file, and at first the owner's alone for one
  /// that replaces another.
  package var draftMode: UInt32 { access == nil ? 0o666 : 0o600 }

  /// Gives an open draft the mode of the file that it replaces, and its owner and group if the system allows it.
  package func adopt(_ descriptor: CInt) {
    guard let access else { return }
    if fchown(descriptor, access.owner, access.group) == 0 {
      _ = fchmod(descriptor, access.mode)
    } else {
      // The permissions of the old group do not pass to another group.
      let isOfGroup = fchown(descriptor, uid_t.max, access.group) == 0
      _ = fchmod(descriptor, access.mode & (isOfGroup ? 0o777 : 0o707))
    }
  }

  /// Renames the draft to its place; `false` with the reason in `errno`.
  package func commit() -> Bool { target.map { rename(draft, $0) == 0 } ?? true }

  /// Removes the draft when the replacement is given up.
  package func discard() { if isBeside { unlink(draft) } }

  /// Follows the symbolic links of a path, of which the last may lead to a file that does not exist yet.
  private static func followed(_ path: String) -> String {
    var path = path
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    // Linux follows 40 links as well.
    for _ in 0..<40 where !path.hasPrefix("/proc/") {
      let count = readlink(path, &link, link.count)
      guard count > 0 else { break }
      let meant = String(decoding: link[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = meant.hasPrefix("/") ? meant : folder + meant
    }
    return path
  }
}
