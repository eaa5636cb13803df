internal import APNSimWire

/// The bytes of a frame, in the buffer it was read from. Of its own module, because what another one computes costs
/// a call for each notification.
extension Frame {
  @inline(__always)
  func bytes(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// The token; empty when the frame stopped or broke before it.
  @inline(__always)
  func token(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    Self.field(in: buffer, at: tokenStart, tokenLength)
  }

  /// The payload; empty when the frame stopped or broke before it.
  @inline(__always)
  func payload(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    Self.field(in: buffer, at: payloadStart, payloadLength)
  }

  @inline(__always)
  private static func field(
    in buffer: UnsafeRawBufferPointer,
    at start: Int,
    _ length: UInt16
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<start &+ (start > 0 ? Int(length) : 0)])
  }

  /// What makes two notifications the same for the resend report: token and payload, whatever their numbers; of one
  /// that stopped, the declared lengths and what was read.
  func content(in buffer: UnsafeRawBufferPointer) -> UInt64 {
    var hash = Hash64()
    hash.combine(UInt64(tokenLength) << 16 | UInt64(payloadLength))
    hash.combine(token(in: buffer))
    hash.combine(payload(in: buffer))
    return hash.finalize()
  }
}
