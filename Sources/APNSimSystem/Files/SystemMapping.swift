import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Bytes of a file as memory.
package final class SystemMapping: @unchecked Sendable {
  // Permission to write is the owner's business.
  package let start: UnsafeMutableRawPointer
  package let byteCount: Int
  private let path: String

  /// - Parameter byteCount: not 0, and not more than the file has.
  package init(_ file: SystemFile, byteCount: Int, isWritable: Bool) throws(SystemError) {
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    let place = mmap(nil, byteCount, access, MAP_SHARED, file.descriptor.rawValue, 0)
    guard let place, place != UnsafeMutableRawPointer(bitPattern: -1) else {
      throw SystemError("mmap", file.path, Errno(rawValue: errno))
    }
    (start, self.byteCount, path) = (place, byteCount, file.path)
  }

  deinit { munmap(start, byteCount) }

  /// Waits until a range of what was written is on the disk, and nothing else: pages beyond it stay writable.
  package func sync(_ range: Range<Int>) throws(SystemError) {
    let page = Int(getpagesize())
    let first = range.lowerBound / page * page
    try call("msync", path) { msync(start + first, range.upperBound - first, MS_SYNC) }
  }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: byteCount) }
}
