import CProcessor

extension UnsafeMutablePointer {
  /// Asks for the memory of a record that will be read or made soon. It need not be one: nothing is changed.
  @inline(__always)
  func prefetch() {
    apnsim_prefetch(self)
    // One that does not divide a cache line may lie in two.
    if 64 % MemoryLayout<Pointee>.stride != 0 {
      apnsim_prefetch(UnsafeRawPointer(self) + (MemoryLayout<Pointee>.size - 1))
    }
  }
}
