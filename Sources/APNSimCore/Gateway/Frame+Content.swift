internal import APNSimWire

extension Frame {
  /// What makes two notifications the same for the resend report: token and payload, whatever their numbers.
  func content(in buffer: UnsafeRawBufferPointer) -> UInt64 {
    var hash = Hash64()
    hash.combine(UnsafeRawBufferPointer(rebasing: buffer[token]))
    hash.combine(UnsafeRawBufferPointer(rebasing: buffer[payload]))
    return hash.finalize()
  }
}
