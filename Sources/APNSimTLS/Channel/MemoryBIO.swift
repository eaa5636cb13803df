import COpenSSL
import NIOCore

/// The state of a connection's BIO: the bytes that were just received, and the bytes to send.
///
/// It is a struct at a raw pointer: a class reference would be retained and released at each call of the BIO.
struct MemoryBIOState {
  /// The next received byte; valid only while ``TLSConnection`` is inside one call.
  var position: UnsafeRawPointer?
  var left = 0
  /// Records to send, in order.
  var output = ByteBuffer()
}

/// The BIO type through which OpenSSL reads from and writes to a ``MemoryBIOState``.
enum MemoryBIO {
  private nonisolated(unsafe) static let method: OpaquePointer? = {
    let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "apnsim memory")
    BIO_meth_set_read(method, readReceived)
    BIO_meth_set_write(method, appendOutput)
    BIO_meth_set_ctrl(method, control)
    return method
  }()

  /// Makes a BIO over `state`, which must outlive it; `nil` when memory is exhausted.
  static func make(_ state: UnsafeMutablePointer<MemoryBIOState>) -> OpaquePointer? {
    guard let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, state)
    BIO_set_init(bio, 1)
    return bio
  }
}

private func readReceived(
  _ bio: OpaquePointer?,
  _ target: UnsafeMutablePointer<CChar>?,
  _ wanted: Int32
) -> Int32 {
  apnsim_BIO_clear_retry_flags(bio)
  guard let state = BIO_get_data(bio)?.assumingMemoryBound(to: MemoryBIOState.self) else { return -1 }
  let count = min(Int(wanted), state.pointee.left)
  guard count > 0, let target, let position = state.pointee.position else {
    apnsim_BIO_set_retry_read(bio)
    return -1
  }
  UnsafeMutableRawPointer(target).copyMemory(from: position, byteCount: count)
  state.pointee.position = position + count
  state.pointee.left -= count
  return Int32(truncatingIfNeeded: count)
}

private func appendOutput(_ bio: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
  apnsim_BIO_clear_retry_flags(bio)
  guard count > 0, let source, let state = BIO_get_data(bio)?.assumingMemoryBound(to: MemoryBIOState.self)
  else { return -1 }
  state.pointee.output.writeBytes(UnsafeRawBufferPointer(start: source, count: Int(count)))
  return count
}

private func control(
  _ bio: OpaquePointer?,
  _ command: Int32,
  _ number: Int,
  _ argument: UnsafeMutableRawPointer?
) -> Int {
  command == BIO_CTRL_FLUSH ? 1 : 0
}
