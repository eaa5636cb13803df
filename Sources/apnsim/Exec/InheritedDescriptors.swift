import Foundation

/// The descriptors that whoever started us left open for us and for what we start, beyond the standard streams: a
/// shell's `3>log`, make's job server.
enum InheritedDescriptors {
  /// In ascending order. To be asked before we open anything ourselves.
  static func current() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { descriptor in
      let flags = descriptor > 2 ? fcntl(descriptor, F_GETFD) : -1
      return flags >= 0 && flags & FD_CLOEXEC == 0
    }.sorted()
  }
}
