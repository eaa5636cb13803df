import COpenSSL
import Synchronization

/// Reads private keys in PEM, each in its turn.
///
/// To find everything that can decode a key takes OpenSSL several times as long as to decode one, and a start reads five:
/// what it found is kept.
final class PrivateKeyDecoder: Sendable {
  static let shared = PrivateKeyDecoder()

  /// OpenSSL's decoder, and the key that it has decoded.
  private struct Decoder: ~Copyable, @unchecked Sendable {
    let found: UnsafeMutablePointer<OpaquePointer?>
    let context: OpaquePointer?
  }

  /// It stays as long as the process.
  private let decoder: Mutex<Decoder>

  private init() {
    let found = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
    found.initialize(to: nil)
    let context = OSSL_DECODER_CTX_new_for_pkey(found, "PEM", nil, nil, apnsim_EVP_PKEY_KEYPAIR(), nil, nil)
    decoder = Mutex(Decoder(found: found, context: context))
  }

  /// The key that a PEM file begins with; nil where it begins with something else, or the password is another. Why, the
  /// usual readers say.
  func key(_ bytes: [UInt8], password: String?) -> OpaquePointer? {
    let secret = Array((password ?? "").utf8)
    return decoder.withLock { decoder in
      guard let context = decoder.context else { return nil }
      decoder.found.pointee = nil
      OSSL_DECODER_CTX_set_passphrase(context, secret, secret.count)
      defer { OSSL_DECODER_CTX_set_passphrase(context, [], 0) }
      let isRead = MemoryBuffer.reading(bytes) { OSSL_DECODER_from_bio(context, $0) }
      ERR_clear_error()
      return isRead == 1 ? decoder.found.pointee : nil
    }
  }
}
