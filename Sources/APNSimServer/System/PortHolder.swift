import APNSimSystem

/// Finds the process that listens on a port, on Linux, from `/proc`.
///
/// Other users' processes are visible only with privileges; without them the result is nil.
enum PortHolder {
  /// A description such as `pid 4711 (ruby)`; nil if the process is not found.
  static func find(port: Int) -> String? {
    let inodes = listeningInodes(port: port)
    guard !inodes.isEmpty else { return nil }
    let processes = (try? SystemFolder.names(in: "/proc")) ?? []
    for process in processes.compactMap(Int.init).sorted() {
      let folder = "/proc/\(process)/fd"
      for entry in (try? SystemFolder.names(in: folder)) ?? [] {
        guard let target = SystemPath.target(ofLink: "\(folder)/\(entry)"),
          target.hasPrefix("socket:["), inodes.contains(String(target.dropFirst(8).dropLast()))
        else { continue }
        return ProcessName.of(process)
      }
    }
    return nil
  }

  /// The inodes of the sockets that listen on a port, from lines such as
  /// `0: 0100007F:0893 00000000:0000 0A … 12345`: local address, remote address, state (0A listens), inode tenth.
  private static func listeningInodes(port: Int) -> Set<String> {
    let wanted = ":" + String(repeating: "0", count: max(0, 4 - hex(port).count)) + hex(port)
    var inodes: Set<String> = []
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in (ProcessName.text(of: table) ?? "").split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count > 9, fields[1].hasSuffix(wanted), fields[3] == "0A" else { continue }
        inodes.insert(String(fields[9]))
      }
    }
    return inodes
  }

  private static func hex(_ port: Int) -> String { String(port, radix: 16, uppercase: true) }

}

/// Finds the process that has a lock on a file, on Linux, from `/proc`.
enum LockHolder {
  /// A description such as `pid 4711 (apnsim)`; nil if the process is not found.
  ///
  /// Lines are such as `1: FLOCK  ADVISORY  WRITE 4711 08:01:12345 0 EOF`: the process is the fifth field, the inode the
  /// last part of the sixth.
  static func find(inode: UInt64) -> String? {
    for line in (ProcessName.text(of: "/proc/locks") ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(inode)"),
        let process = Int(fields[4]),
        process > 0
      else { continue }
      return ProcessName.of(process)
    }
    return nil
  }
}

/// The name of a process for people, from `/proc`.
private enum ProcessName {
  /// A process as `pid 4711 (ruby)`.
  static func of(_ process: Int) -> String {
    let command = text(of: "/proc/\(process)/comm").flatMap {
      $0.split(separator: "\n").first.map(String.init)
    }
    return "pid \(process)" + (command.map { " (\($0))" } ?? "")
  }

  static func text(of path: String) -> String? {
    (try? SystemPath.bytes(of: path, upTo: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }
}
