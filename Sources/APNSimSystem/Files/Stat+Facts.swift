package import SystemPackage

extension Stat {
  /// The identity of a file, which all its names share.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package var identity: Identity {
    Identity(
      device: UInt64(truncatingIfNeeded: deviceID.rawValue),
      inode: UInt64(truncatingIfNeeded: inode.rawValue)
    )
  }

  /// The time of the last change of the content.
  package var modified: SystemTime { SystemTime(st_mtim) }

  package var isRegular: Bool { type == .regular }

  package var isDirectory: Bool { type == .directory }

  /// True for a named pipe, and for an end of any other.
  package var isPipe: Bool { type == .fifo }
}
