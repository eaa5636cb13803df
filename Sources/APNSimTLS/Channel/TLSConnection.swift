import COpenSSL
import NIOCore

/// One TLS session on memory: ciphertext in, plaintext out, and back. It knows OpenSSL, but no channel.
///
/// A session is used on one event loop. OpenSSL's callbacks find the object through the session's own data; it
/// outlives the session.
final class TLSConnection {
  /// The result of a call.
  enum Progress {
    /// All received bytes are consumed; more are needed.
    case wantsMore
    /// The peer sent close_notify.
    case closedByPeer
    /// A fatal error; ``output`` may hold an alert. See ``failure(firstBytes:)``.
    case failed
  }

  /// The one it began with, or the alternative that the client's offer chose.
  private(set) var context: TLSContext
  private let policy: ((PeerCertificate) -> TLSRefusal?)?
  private let helloPolicy: ((String?) -> TLSRefusal?)?
  private let alternative: TLSAlternative?
  private var hasReadHello = false
  let ssl: OpaquePointer
  private let wire: UnsafeMutablePointer<MemoryBIOState>
  private var trust: TrustStore.Snapshot?

  private(set) var isEstablished = false
  private(set) var peer: PeerCertificate?
  private(set) var refusal: TLSRefusal?
  fileprivate(set) var alertSent: TLSAlert?
  fileprivate(set) var alertReceived: TLSAlert?
  private var errors: [OpenSSL.QueuedError] = []

  init(
    _ context: TLSContext,
    serverName: String?,
    alternative: TLSAlternative? = nil,
    helloPolicy: ((String?) -> TLSRefusal?)? = nil,
    policy: ((PeerCertificate) -> TLSRefusal?)?
  ) throws(TLSSetupError) {
    self.context = context
    self.alternative = alternative
    self.helloPolicy = helloPolicy
    self.policy = policy
    trust = context.trust?.current()
    wire = .allocate(capacity: 1)
    wire.initialize(to: MemoryBIOState())
    let ssl = SSL_new(context.pointer)
    guard let ssl, let bio = MemoryBIO.make(wire) else {
      SSL_free(ssl)
      wire.deinitialize(count: 1)
      wire.deallocate()
      throw TLSSetupError(reason: "out of memory for a TLS connection: \(OpenSSL.lastReason())")
    }
    self.ssl = ssl
    SSL_set_bio(ssl, bio, bio)
    // Read-ahead takes all received records at once: otherwise OpenSSL reads twice for each, and with
    // SSL_MODE_RELEASE_BUFFERS frees its buffer and allocates it again in between.
    SSL_set_read_ahead(ssl, 1)
    SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    if let trust { apnsim_SSL_set1_verify_cert_store(ssl, trust.store) }
    switch context.role {
    case .server: SSL_set_accept_state(ssl)
    case .client:
      SSL_set_connect_state(ssl)
      if let serverName { expect(serverName) }
    }
  }

  deinit {
    SSL_free(ssl)
    wire.deinitialize(count: 1)
    wire.deallocate()
  }

  /// The version that was agreed on.
  var version: TLSVersion? { TLSVersion(wireValue: SSL_version(ssl)) }

  /// The cipher in OpenSSL's spelling, such as "ECDHE-RSA-AES128-GCM-SHA256".
  var cipher: String? {
    guard let current = SSL_get_current_cipher(ssl) else { return nil }
    return String(cString: SSL_CIPHER_get_name(current))
  }

  /// Takes the bytes that wait to be sent; nil when there are none.
  func takeOutput() -> ByteBuffer? {
    guard wire.pointee.output.readableBytes > 0 else { return nil }
    let output = wire.pointee.output
    wire.pointee.output = ByteBuffer()
    return output
  }

  /// Releases the peer's certificate, which is not needed any more.
  func forgetPeer() { peer = nil }

  /// Starts the handshake, in which a client sends first.
  func start() -> Progress {
    ERR_clear_error()
    return handshake()
  }

  /// Decrypts the bytes of one read of the socket and appends the plaintext.
  ///
  /// - Parameter deliver: called with the buffer, which it is to empty, whenever enough plaintext has gathered; false
  ///   ends the reading. The parts of a large read are so handed on while they are in the processor's caches.
  func receive(
    _ ciphertext: ByteBuffer,
    into plaintext: inout ByteBuffer,
    deliver: (inout ByteBuffer) -> Bool
  ) -> Progress {
    ciphertext.withUnsafeReadableBytes { bytes in
      ERR_clear_error()
      wire.pointee.position = bytes.baseAddress
      wire.pointee.left = bytes.count
      defer {
        wire.pointee.position = nil
        wire.pointee.left = 0
      }
      if !isEstablished {
        let progress = handshake()
        guard isEstablished else { return progress }
      }
      return decrypt(into: &plaintext, expecting: bytes.count, deliver)
    }
  }

  /// Reserves output for that many bytes of plaintext, so that the buffer does not grow record by record.
  func reserveOutput(for byteCount: Int) {
    let bytes = min(byteCount, 1 << 20)
    wire.pointee.output.reserveCapacity(minimumWritableBytes: bytes + (bytes / 16_384 + 1) * 96)
  }

  /// Encrypts into ``takeOutput()``. Up to 16,384 bytes become exactly one record.
  func send(_ plaintext: ByteBuffer) -> Bool {
    ERR_clear_error()
    return plaintext.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
        let count = SSL_write(ssl, chunk.baseAddress, Int32(clamping: chunk.count))
        guard count > 0 else { return note(count) == .wantsMore }
        rest = rest.dropFirst(Int(count))
      }
      return true
    }
  }

  /// Puts close_notify after everything sent so far.
  func sendCloseNotify() {
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
  }

  private func handshake() -> Progress {
    let result = SSL_do_handshake(ssl)
    guard result == 1 else { return note(result) }
    isEstablished = true
    if peer == nil, let certificate = SSL_get1_peer_certificate(ssl) {
      peer = PeerCertificate(X509Certificate(owning: certificate))
    }
    return .wantsMore
  }

  /// The number of bytes of plaintext that are handed on: about half a full record.
  private static let enough = 8192

  private func decrypt(
    into plaintext: inout ByteBuffer,
    expecting: Int,
    _ deliver: (inout ByteBuffer) -> Bool
  ) -> Progress {
    // After the last bytes of a handshake there is nothing to decrypt, and no buffer is needed.
    if wire.pointee.left == 0, SSL_has_pending(ssl) == 0 { return .wantsMore }
    while true {
      if plaintext.readableBytes >= Self.enough {
        guard deliver(&plaintext) else { return .wantsMore }
      }
      if plaintext.writableBytes == 0 {
        plaintext.reserveCapacity(minimumWritableBytes: min(max(expecting, 512), Self.enough + 16_384))
      }
      let wanted = Self.enough - plaintext.readableBytes
      var result: Int32 = 0
      plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: 0) { target in
        var count = 0
        repeat {
          let room = UnsafeMutableRawBufferPointer(rebasing: target[count...])
          result = SSL_read(ssl, room.baseAddress, Int32(clamping: room.count))
          count += Int(max(0, result))
        } while result > 0 && count < wanted && count < target.count
        return count
      }
      guard result > 0 else { return note(result) }
    }
  }

  private func note(_ result: Int32) -> Progress {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsMore
    case SSL_ERROR_ZERO_RETURN: return .closedByPeer
    default:
      errors = OpenSSL.drainErrors()
      applyRefusal()
      return .failed
    }
  }

  /// Gives the refusal the requested form, where OpenSSL has no verification result for it.
  private func applyRefusal() {
    guard let refusal else { return }
    switch refusal.shape {
    case .close:
      wire.pointee.output.clear()
      alertSent = nil
    case .alert(let alert):
      // Before ChangeCipherSpec the alert is the last record, not encrypted: 15 03 vv 00 02 02 nn.
      let output = wire.pointee.output
      guard alert != alertSent, version != .v1_3, output.readableBytes >= 7,
        let tail = output.getBytes(at: output.writerIndex - 7, length: 7), tail[0] == 21, tail[5] == 2
      else { return }
      wire.pointee.output.setInteger(alert.rawValue, at: output.writerIndex - 1)
      alertSent = alert
    }
  }

  /// The reason for `.failed`.
  func failure(firstBytes: [UInt8]) -> TLSError {
    var error = FailureReport(
      ssl: ssl,
      errors: errors,
      refusal: refusal,
      alertReceived: alertReceived,
      role: context.role,
      isEstablished: isEstablished,
      firstBytes: firstBytes
    ).error
    error.alertSent = alertSent
    error.alertReceived = alertReceived
    error.refusal = refusal
    error.peer = peer
    return error
  }

  private func expect(_ serverName: String) {
    let parameters = SSL_get0_param(ssl)
    // An address is checked against the certificate, but never sent as a server name (RFC 6066).
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, serverName) == 1 { return }
    ERR_clear_error()
    SSL_set1_host(ssl, serverName)
    apnsim_SSL_set_tlsext_host_name(ssl, serverName)
  }

  /// Judges the peer's certificate: first the chain, then the policy.
  fileprivate func verify(_ store: OpaquePointer) -> Bool {
    guard let leaf = X509_STORE_CTX_get0_cert(store) else { return false }
    let certificate = PeerCertificate(X509Certificate(sharing: leaf))
    peer = certificate
    if context.checksChain, X509_verify_cert(store) != 1 {
      refusal = TLSRefusal(verifyError: X509_STORE_CTX_get_error(store))
    } else {
      refusal = policy?(certificate)
    }
    X509_STORE_CTX_set_error(store, refusal?.verifyError ?? X509_V_OK)
    if refusal == nil, context.role == .server { share(leaf, of: store) }
    return refusal == nil
  }

  /// Lets the session keep the certificate that others have shown, in the place of this one with the same bytes: in what the
  /// client sent, and in the chain that was verified. OpenSSL takes both over from here.
  private func share(_ leaf: OpaquePointer, of store: OpaquePointer) {
    let shared = context.clients.shared(X509Certificate(sharing: leaf))
    apnsim_sk_X509_replace_first(X509_STORE_CTX_get0_untrusted(store), leaf, shared.pointer)
    apnsim_sk_X509_replace_first(X509_STORE_CTX_get0_chain(store), leaf, shared.pointer)
  }

  /// Looks at the ClientHello: which context goes on with it, and whether it is refused. A second one, which a retry asks
  /// for, changes nothing.
  /// - Returns: the alert of a refusal.
  fileprivate func readHello() -> TLSAlert? {
    guard !hasReadHello else { return nil }
    hasReadHello = true
    chooseContext()
    refusal = helloPolicy?(ClientHello.serverName(of: ssl))
    return refusal.map { if case .alert(let alert) = $0.shape { alert } else { .handshakeFailure } }
  }

  /// Goes on with the alternative context if the ClientHello offers a protocol of it.
  private func chooseContext() {
    guard let alternative, alternative.isOffered(by: ssl) else { return }
    let chosen = alternative.context
    guard SSL_set_SSL_CTX(ssl, chosen.pointer) != nil, chosen.applyVersions(to: ssl) else { return }
    context = chosen
    // The verifier of certificates came with the first context.
    SSL_set_verify(ssl, SSL_CTX_get_verify_mode(chosen.pointer), nil)
    trust = chosen.trust?.current()
    if let trust { apnsim_SSL_set1_verify_cert_store(ssl, trust.store) }
    alternative.chosen()
  }

  static func of(_ ssl: OpaquePointer?) -> TLSConnection? {
    SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSConnection>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// OpenSSL's callback to verify the peer's certificate: returns 1, or 0 with the error set.
func verifyPeer(_ store: OpaquePointer?, _ unused: UnsafeMutableRawPointer?) -> Int32 {
  guard
    let store,
    let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
    let connection = TLSConnection.of(OpaquePointer(ssl))
  else { return 0 }
  return connection.verify(store) ? 1 : 0
}

/// OpenSSL's callback for alerts that are received and sent.
func noteAlert(_ ssl: OpaquePointer?, _ event: Int32, _ value: Int32) {
  guard event & SSL_CB_ALERT != 0, let connection = TLSConnection.of(ssl) else { return }
  let alert = TLSAlert(rawValue: UInt8(truncatingIfNeeded: value))
  if event & SSL_CB_READ != 0 {
    connection.alertReceived = alert
  } else {
    connection.alertSent = alert
  }
}

/// OpenSSL's callback for a ClientHello, before anything is decided by it.
func readClientHello(
  _ ssl: OpaquePointer?,
  _ alert: UnsafeMutablePointer<Int32>?,
  _ unused: UnsafeMutableRawPointer?
) -> Int32 {
  guard let refused = TLSConnection.of(ssl)?.readHello() else { return SSL_CLIENT_HELLO_SUCCESS }
  alert?.pointee = Int32(refused.rawValue)
  return SSL_CLIENT_HELLO_ERROR
}
