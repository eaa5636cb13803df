import SystemPackage

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
  /// The file to be replaced; nil if there is none.
  private let present: Stat?

  package init(of path: String) {
    var facts: Stat?
    var isReplaceable = true
    do throws(Errno) {
      facts = try Stat(path)
    } catch {
      isReplaceable = error == .noSuchFileOrDirectory
    }
    let target = Self.followed(path)
    // A path in /proc means a file that is open already, and a replacement would not be that file.
    guard isReplaceable, facts?.isRegular != false, !target.hasPrefix("/proc/") else {
      (draft, self.target, present) = (path, nil, nil)
      return
    }
    let number = String(UInt64.random(in: 0..<1 << 48), radix: 16)
    draft = target + ".new-" + String(repeating: "0", count: 12 - number.utf8.count) + number
    (self.target, present) = (target, facts)
  }

  /// True if the old file stays until ``commit()``.
  private var isBeside: Bool { target != nil }

  /// The mode with which to make the draft: that of the umask for a new file, and at first the owner's alone for one
  /// that replaces another.
  package var draftMode: UInt32 { present == nil ? 0o666 : 0o600 }

  /// Gives an open draft the mode of the file that it replaces, and its owner and group if the system allows it.
  package func adopt(_ file: SystemFile) {
    guard let present else { return }
    let mode = UInt32(present.permissions.rawValue)
    if (try? file.setOwner(present.userID.rawValue, group: present.groupID.rawValue)) != nil {
      try? file.setMode(mode)
    } else {
      // The permissions of the old group do not pass to another group.
      let isOfGroup = (try? file.setOwner(nil, group: present.groupID.rawValue)) != nil
      try? file.setMode(mode & (isOfGroup ? 0o777 : 0o707))
    }
  }

  /// Renames the draft to its place.
  package func commit() throws(SystemError) {
    if let target { try SystemPath.move(draft, to: target) }
  }

  /// Removes the draft when the replacement is given up.
  package func discard() { if isBeside { try? SystemPath.remove(draft) } }

  /// Follows the symbolic links of a path, of which the last may lead to a file that does not exist yet.
  private static func followed(_ path: String) -> String {
    var path = path
    // Linux follows 40 links as well.
    for _ in 0..<40 where !path.hasPrefix("/proc/") {
      guard let meant = SystemPath.target(ofLink: path) else { break }
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = meant.hasPrefix("/") ? meant : folder + meant
    }
    return path
  }

  // MARK: Small files

  /// Puts bytes in place in one step.
  /// - Parameters:
  ///   - mode: the permissions of the file; a device or a pipe keeps its own.
  ///   - isExact: false for less of them where the umask takes some away.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    mode: UInt32,
    isExact: Bool = true
  ) throws(SystemError) {
    let place = FileReplacement(of: path)
    do throws(SystemError) {
      let way: FileDescriptor.OpenOptions = place.isBeside ? [.create, .exclusiveCreate] : .truncate
      let file = try SystemFile(place.draft, .writeOnly, way, mode: mode)
      try file.write(bytes)
      if place.isBeside, isExact { try file.setMode(mode) }
      try file.close()
      try place.commit()
    } catch {
      place.discard()
      throw error
    }
  }

  /// Puts bytes in place in one step, on the disk before their name is; for the owner alone.
  /// - Parameter draft: the name of ours that they have until then.
  package static func write(_ bytes: [UInt8], to path: String, syncedAt draft: String) throws(SystemError) {
    do throws(SystemError) {
      let file = try SystemFile(replacing: draft)
      try file.write(bytes)
      try file.sync()
      try SystemPath.move(draft, to: path)
    } catch {
      try? SystemPath.remove(draft)
      throw error
    }
  }
}
