import SystemPackage

/// The attributes of a file, a directory, a pipe or a device.
package struct FileFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular
    case directory
    /// A named pipe, or one end of another.
    case pipe
    case link
    /// A device or a socket.
    case other
  }

  /// The identity of a file, which all its names share.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let kind: Kind
  package let identity: Identity
  /// The permissions, with the bits that set user, group and stickiness.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  /// The number of names; 0 for a file that is deleted and still open.
  package let nameCount: Int
  /// The size in bytes.
  package let byteCount: Int64
  /// The time of the last change of the content.
  package let modified: SystemTime

  package var isRegular: Bool { kind == .regular }

  /// - Parameter followsLinks: false for the link itself where the path ends in one.
  package init(of path: String, followsLinks: Bool = true) throws(SystemError) {
    do throws(Errno) {
      self.init(try Stat(path, followTargetSymlink: followsLinks))
    } catch {
      throw SystemError("stat", path, error)
    }
  }

  init(of descriptor: FileDescriptor, _ path: String) throws(SystemError) {
    do throws(Errno) {
      self.init(try Stat(descriptor))
    } catch {
      throw SystemError("fstat", path, error)
    }
  }

  private init(_ facts: Stat) {
    kind =
      switch facts.type {
      case .regular: .regular
      case .directory: .directory
      case .fifo: .pipe
      case .symbolicLink: .link
      default: .other
      }
    identity = Identity(
      device: UInt64(truncatingIfNeeded: facts.deviceID.rawValue),
      inode: UInt64(truncatingIfNeeded: facts.inode.rawValue)
    )
    mode = UInt32(facts.permissions.rawValue)
    (owner, group) = (facts.userID.rawValue, facts.groupID.rawValue)
    (nameCount, byteCount) = (facts.linkCount, facts.size)
    modified = SystemTime(facts.st_mtim)
  }
}
