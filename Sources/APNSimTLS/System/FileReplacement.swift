internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How a file is put in place in one step: written beside its place, then renamed, so that whoever opens it sees the
/// old content or the new, never a part.
///
/// Only a regular file, or one that is not there yet, is replaced, and through a symbolic link the file that it means.
/// A device or a pipe is written as it is.
package struct FileReplacement: Sendable {
  /// Where to write.
  package let draft: String
  /// Where the draft belongs; nil where it is the file itself.
  private let target: String?
  /// Whose the file is that is there, and who may read it; nil where there is none.
  private let access: (mode: mode_t, owner: uid_t, group: gid_t)?

  package init(of path: String) {
    var facts = stat()
    let isReplaceable = stat(path, &facts) == 0 ? facts.st_mode & S_IFMT == S_IFREG : errno == ENOENT
    let target = Self.followed(path)
    // What /proc calls a file is one that is open already: replaced, it would not be what is open.
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

  /// Whether what was there stays until ``commit()``.
  var isBeside: Bool { target != nil }

  /// With which mode to make the draft: a new file is for whom the umask says, one that replaces another is at first for
  /// nobody else.
  package var draftMode: UInt32 { access == nil ? 0o666 : 0o600 }

  /// Gives an open draft the mode of the file that it replaces, and its owner and group where the system lets us.
  package func adopt(_ descriptor: CInt) {
    guard let access else { return }
    if fchown(descriptor, access.owner, access.group) == 0 {
      _ = fchmod(descriptor, access.mode)
    } else {
      // What its group may do is not for another group.
      let isOfGroup = fchown(descriptor, uid_t.max, access.group) == 0
      _ = fchmod(descriptor, access.mode & (isOfGroup ? 0o777 : 0o707))
    }
  }

  /// Gives the draft its name; `false` leaves the reason in `errno`.
  package func commit() -> Bool { target.map { rename(draft, $0) == 0 } ?? true }

  /// Takes the draft away, of a file that is not to be.
  package func discard() { if isBeside { unlink(draft) } }

  /// The file that a path means, also where the last of its links leads to none yet.
  private static func followed(_ path: String) -> String {
    var path = path
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    // As many links as Linux follows.
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
