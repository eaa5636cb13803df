import COpenSSL
import Synchronization

/// The trusted CAs and revocation lists of a context, read again when their files change.
///
/// A `stat` per file and connection (device, inode, size, time of modification) detects a change, so a file that is
/// replaced by renaming is noticed even within one tick of the clock. While the files cannot be read or understood,
/// the last good state stays in force. That includes a pipe in a file's place, which would block the loop, and a list
/// that the CA has not signed.
final class TrustStore: Sendable {
  /// Owns an `X509_STORE` that is filled before it is shared; OpenSSL locks what it caches. Each connection keeps its
  /// own snapshot, so a reload never changes one in use.
  final class Snapshot: @unchecked Sendable {
    let store: OpaquePointer

    /// - Parameter checksRevocation: true if there are files for revocation lists, though they may hold none.
    init(_ files: [TrustFile], checksRevocation: Bool) throws(TLSSetupError) {
      guard let store = X509_STORE_new() else {
        throw TLSSetupError(reason: "out of memory for certificates")
      }
      self.store = store
      let authorities = files.flatMap(\.certificates)
      for certificate in authorities { X509_STORE_add_cert(store, certificate.pointer) }
      for file in files {
        for list in try file.lists(for: authorities) { X509_STORE_add_crl(store, list.pointer) }
      }
      ERR_clear_error()
      // The flag covers the certificates between a certificate and its CA as well.
      let checks = checksRevocation ? X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL : 0
      X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN | checks))
      X509_STORE_set_verify_cb(store, tolerateMissingRevocationList)
    }

    deinit { X509_STORE_free(store) }
  }

  private struct State {
    var files: [TrustFile]
    var snapshot: Snapshot
    /// The state of the files at the last failed reload, and its time.
    var failure: (stamps: [SetupFile.Stamp?], moment: ContinuousClock.Instant)?
  }

  /// The time after which a failed reload is tried again, though the files look the same: one that is written in
  /// place may become complete within a tick of the clock, and permissions are not part of a stamp.
  private static let retry = Duration.seconds(1)

  private let paths: [String]
  private let checksRevocation: Bool
  private let warn: @Sendable (String) -> Void
  private let state: Mutex<State>

  init(
    caFiles: [String],
    crlFiles: [String],
    warn: @escaping @Sendable (String) -> Void
  ) throws(TLSSetupError) {
    guard !caFiles.isEmpty else { throw TLSSetupError(reason: "no file with trusted CA certificates") }
    paths = caFiles + crlFiles
    checksRevocation = !crlFiles.isEmpty
    self.warn = warn
    var files: [TrustFile] = []
    for path in caFiles { files.append(try TrustFile(path, .certificates)) }
    for path in crlFiles { files.append(try TrustFile(path, .revocationLists)) }
    let snapshot = try Snapshot(files, checksRevocation: checksRevocation)
    state = Mutex(State(files: files, snapshot: snapshot))
  }

  /// The present snapshot, reloaded if the files have changed.
  func current(at now: ContinuousClock.Instant = .now) -> Snapshot {
    let stamps = paths.map { SetupFile.stamp($0) }
    return state.withLock { state in
      guard zip(state.files, stamps).contains(where: { $0.isOutdated(by: $1) }) else { return state.snapshot }
      let failure = state.failure.flatMap { $0.stamps == stamps ? $0 : nil }
      if let failure, failure.moment.duration(to: now) < Self.retry { return state.snapshot }
      do throws(TLSSetupError) {
        var files = state.files
        for index in files.indices where files[index].isOutdated(by: stamps[index]) {
          files[index] = try TrustFile(again: files[index], stamp: stamps[index])
        }
        state.snapshot = try Snapshot(files, checksRevocation: checksRevocation)
        state.files = files
        state.failure = nil
      } catch {
        if failure == nil { warn("\(error); the previous state stays in force") }
        state.failure = (stamps, now)
      }
      return state.snapshot
    }
  }
}

/// Accepts a missing or outdated revocation list: a CA that publishes none has revoked nothing, and an outdated one
/// still holds.
private func tolerateMissingRevocationList(_ ok: Int32, _ context: OpaquePointer?) -> Int32 {
  guard ok == 0 else { return ok }
  switch X509_STORE_CTX_get_error(context) {
  case X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_CRL_HAS_EXPIRED, X509_V_ERR_CRL_NOT_YET_VALID:
    X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  default: return 0
  }
}
