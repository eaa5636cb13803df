import APNSimWire

/// The bytes that fields are places over. Of this module, because what another one computes costs a call for each
/// notification.
extension NotificationFields {
  /// The token; empty when the notification stopped or broke before it.
  /// - Parameter start: where the bytes as sent begin in the buffer.
  @inline(__always)
  func token(in buffer: UnsafeRawBufferPointer, from start: Int = 0) -> UnsafeRawBufferPointer {
    Self.field(in: buffer, start, tokenStart, tokenLength)
  }

  /// The payload; empty when the notification stopped or broke before it.
  @inline(__always)
  func payload(in buffer: UnsafeRawBufferPointer, from start: Int = 0) -> UnsafeRawBufferPointer {
    Self.field(in: buffer, start, payloadStart, payloadLength)
  }

  @inline(__always)
  private static func field(
    in buffer: UnsafeRawBufferPointer,
    _ start: Int,
    _ place: UInt32,
    _ length: UInt16
  ) -> UnsafeRawBufferPointer {
    buffer.part(from: start &+ Int(place), count: place > 0 ? Int(length) : 0)
  }

  /// A hash of the token as far as it is there, and of its length.
  @inline(__always)
  func tokenHash(in buffer: UnsafeRawBufferPointer, from start: Int = 0) -> UInt64 {
    let token = token(in: buffer, from: start)
    if token.count == DeviceToken.byteCount, let start = token.baseAddress {
      return DeviceToken(start).hash(app: 0)
    }
    var hash = Hash64()
    hash.combine(UInt64(tokenLength))
    hash.combine(token)
    return hash.finalize()
  }
}

extension UnsafeRawBufferPointer {
  /// A part of the buffer, which must have it. Slicing and rebasing is twice the instructions, five times for each
  /// notification.
  @inline(__always)
  func part(from start: Int, count: Int) -> UnsafeRawBufferPointer {
    assert(start >= 0 && count >= 0 && start + count <= self.count)
    return UnsafeRawBufferPointer(start: baseAddress.map { $0 + start }, count: count)
  }
}
