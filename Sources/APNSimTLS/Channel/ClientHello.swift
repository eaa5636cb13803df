import COpenSSL

/// The extensions of a ClientHello while it is being read.
enum ClientHello {
  /// The server name that the client asks for (RFC 6066, 3); nil where there is none that can be read.
  static func serverName(of ssl: OpaquePointer) -> String? {
    // `length u16`, then `type u8 | length u16 | name`; type 0 is a host name, and there is one of it.
    guard let list = field(TLSEXT_TYPE_server_name, of: ssl), list.count > 5, list[2] == 0 else { return nil }
    let count = Int(list[3]) << 8 | Int(list[4])
    let name = list.dropFirst(5).prefix(count)
    guard name.count == count, name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// The bytes of an extension, which last as long as the callback; nil where the client has not sent it.
  static func field(_ type: Int32, of ssl: OpaquePointer) -> UnsafeBufferPointer<UInt8>? {
    var start: UnsafePointer<UInt8>?
    var count = 0
    guard SSL_client_hello_get0_ext(ssl, UInt32(type), &start, &count) == 1 else { return nil }
    return UnsafeBufferPointer(start: start, count: count)
  }
}
