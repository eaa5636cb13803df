import APNSimSystem
import COpenSSL
import NIOCore
import SystemPackage

/// The state that the connections of one listener (or of one client) share. It is made once, then one ``TLSHandler``
/// per connection. It is safe to use from all event loops: nothing is set on the `SSL_CTX` once it is made, and
/// OpenSSL counts its references and locks what connections share of it.
///
/// There is no session resumption: a resumed session would skip the check of the certificate, and with it a
/// revocation of a minute ago.
package final class TLSContext: @unchecked Sendable {
  package enum Role: Sendable { case server, client }

  package let role: Role
  private let owner: Owner
  var pointer: OpaquePointer { owner.pointer }
  let trust: TrustStore?
  let checksChain: Bool
  let keyLog: KeyLog?
  /// The certificates of clients.
  let clients = SharedCertificates()
  /// The protocols that a server chooses from or a client offers, the preferred one first.
  let applicationProtocols: [[UInt8]]
  private let versions: ClosedRange<TLSVersion>
  let handshakeTimeout: TimeAmount?
  let linger: TimeAmount

  /// Makes a context for a listener.
  ///
  /// - Throws: ``TLSSetupError`` with file and reason.
  package init(server options: TLSServerOptions) throws(TLSSetupError) {
    role = .server
    applicationProtocols = options.applicationProtocols.map { Array($0.utf8) }
    owner = try Self.make(TLS_server_method(), options.minimum, options.maximum, ciphers: nil)
    versions = options.minimum...options.maximum
    handshakeTimeout = options.handshakeTimeout
    linger = options.linger
    keyLog = try options.keyLogFile.map { file throws(TLSSetupError) in try KeyLog(file) }
    switch options.trust {
    case .authority(let caFiles, let crlFiles):
      trust = try TrustStore(caFiles: caFiles, crlFiles: crlFiles, warn: options.warn)
      checksChain = true
    case .anyCertificate:
      trust = nil
      checksChain = false
    }
    try use(try options.identity.load())
    let mode = options.requiresCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | mode, nil)
    if !applicationProtocols.isEmpty { SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil) }
    SSL_CTX_set_client_hello_cb(pointer, readClientHello, nil)
    finish()
  }

  /// Makes a context for connections to a gateway.
  ///
  /// - Throws: ``TLSSetupError`` with file and reason.
  package init(client options: TLSClientOptions) throws(TLSSetupError) {
    role = .client
    applicationProtocols = options.applicationProtocols.map { Array($0.utf8) }
    owner = try Self.make(
      TLS_client_method(),
      options.minimum,
      options.maximum,
      ciphers: options.cipherList
    )
    versions = options.minimum...options.maximum
    handshakeTimeout = options.handshakeTimeout
    linger = options.linger
    keyLog = try options.keyLogFile.map { file throws(TLSSetupError) in try KeyLog(file) }
    switch options.trust {
    case .authority(let caFiles):
      trust = try TrustStore(caFiles: caFiles, crlFiles: [], warn: { _ in })
      checksChain = true
    case .system:
      trust = nil
      checksChain = true
      SSL_CTX_set_default_verify_paths(pointer)
    case .anyServer:
      trust = nil
      checksChain = false
    }
    if let identity = options.identity { try use(try identity.load()) }
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    let names = applicationProtocols.flatMap { [UInt8(clamping: $0.count)] + $0.prefix(255) }
    guard names.isEmpty || SSL_CTX_set_alpn_protos(pointer, names, UInt32(clamping: names.count)) == 0 else {
      throw TLSSetupError(reason: "OpenSSL refuses the protocols of ALPN: \(OpenSSL.lastReason())")
    }
    apnsim_SSL_CTX_set_legacy_server_connect(pointer)
    finish()
  }

  /// Frees the `SSL_CTX`, also when an initialiser throws half-way.
  private final class Owner {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { SSL_CTX_free(pointer) }
  }

  /// Gives a session that began with another context the versions of this one.
  /// - Returns: false where OpenSSL refuses them.
  func applyVersions(to ssl: OpaquePointer) -> Bool {
    apnsim_SSL_set_min_proto_version(ssl, versions.lowerBound.wireValue) == 1
      && apnsim_SSL_set_max_proto_version(ssl, versions.upperBound.wireValue) == 1
  }

  private static func make(
    _ method: OpaquePointer?,
    _ minimum: TLSVersion,
    _ maximum: TLSVersion,
    ciphers: String?
  ) throws(TLSSetupError) -> Owner {
    _ = OpenSSL.initialise
    guard minimum <= maximum else {
      throw TLSSetupError(
        reason: "the lowest TLS version (\(minimum.rawValue)) is above the highest (\(maximum.rawValue))"
      )
    }
    guard let context = SSL_CTX_new(method) else {
      throw TLSSetupError(reason: "OpenSSL cannot make a TLS context: \(OpenSSL.lastReason())")
    }
    let owner = Owner(context)
    let list = ciphers ?? (minimum < .v1_2 ? ofOldTimes : ofToday)
    guard
      apnsim_SSL_CTX_set_min_proto_version(context, minimum.wireValue) == 1,
      apnsim_SSL_CTX_set_max_proto_version(context, maximum.wireValue) == 1,
      SSL_CTX_set_cipher_list(context, list) == 1
    else {
      throw TLSSetupError(reason: "OpenSSL refuses these TLS settings: \(OpenSSL.lastReason())")
    }
    apnsim_SSL_CTX_set_dh_auto(context)
    apnsim_SSL_CTX_set_gateway_options(context)
    apnsim_SSL_CTX_session_cache_off(context)
    apnsim_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
    SSL_CTX_set_num_tickets(context, 0)
    SSL_CTX_set_session_id_context(context, "apnsim", 6)
    SSL_CTX_set_quiet_shutdown(context, 0)
    return owner
  }

  /// TLS 1.0, SHA-1 signatures and 1024-bit keys need security level 0.
  private static let ofOldTimes = "ALL:!aNULL:!eNULL:!PSK:!SRP:@SECLEVEL=0"
  private static let ofToday = "DEFAULT:!PSK:!SRP:@SECLEVEL=1"

  private func use(_ identity: TLSIdentity) throws(TLSSetupError) {
    guard
      SSL_CTX_use_certificate(pointer, identity.certificate.pointer) == 1,
      SSL_CTX_use_PrivateKey(pointer, identity.key.pointer) == 1
    else {
      throw TLSSetupError(reason: "OpenSSL refuses the certificate: \(OpenSSL.lastReason())")
    }
    for certificate in identity.chain { apnsim_SSL_CTX_add1_chain_cert(pointer, certificate.pointer) }
  }

  /// Sets the callbacks, which find their objects through the connection's or context's own data.
  private func finish() {
    SSL_CTX_set_cert_verify_callback(pointer, verifyPeer, nil)
    SSL_CTX_set_info_callback(pointer, noteAlert)
    SSL_CTX_set_ex_data(pointer, 0, Unmanaged.passUnretained(self).toOpaque())
    if keyLog != nil { SSL_CTX_set_keylog_callback(pointer, writeKeyLog) }
    ERR_clear_error()
  }
}

/// OpenSSL's callback to choose one of the protocols that a client offers: `length u8 | name`, repeated.
private func selectProtocol(
  _ ssl: OpaquePointer?,
  _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ chosenCount: UnsafeMutablePointer<UInt8>?,
  _ offered: UnsafePointer<UInt8>?,
  _ offeredCount: UInt32,
  _ unused: UnsafeMutableRawPointer?
) -> Int32 {
  guard let connection = TLSConnection.of(ssl), let chosen, let chosenCount, let offered else {
    return SSL_TLSEXT_ERR_NOACK
  }
  let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))[...]
  for wanted in connection.context.applicationProtocols {
    guard let place = TLSAlternative.place(of: wanted, in: list) else { continue }
    chosen.pointee = offered + place
    chosenCount.pointee = UInt8(clamping: wanted.count)
    return SSL_TLSEXT_ERR_OK
  }
  return SSL_TLSEXT_ERR_NOACK
}

private func writeKeyLog(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
  guard let line, let context = SSL_get_SSL_CTX(ssl), let data = SSL_CTX_get_ex_data(context, 0) else {
    return
  }
  Unmanaged<TLSContext>.fromOpaque(data).takeUnretainedValue().keyLog?.append(String(cString: line))
}

/// Appends session secrets to a file in the NSS key log format ("CLIENT_RANDOM …"), line by line.
///
/// Each line is one `write` to a descriptor in append mode, so that several processes can share the file.
final class KeyLog: Sendable {
  private let file: SystemFile

  init(_ path: String) throws(TLSSetupError) {
    do throws(SystemError) {
      // Opening a named pipe would wait for its reader; lines that are not read in time are lost.
      file =
        SystemPath.facts(path)?.isPipe == true
        ? try SystemFile(path, .readWrite, .nonBlocking)
        : try SystemFile(path, .writeOnly, [.create, .append])
    } catch {
      throw TLSSetupError(cannotWrite: path, error)
    }
  }

  func append(_ line: String) { try? file.write(Array(line.utf8) + [10]) }
}
