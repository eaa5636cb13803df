import COpenSSL

/// OpenSSL's legacy provider (RC2-40 and others), for PKCS#12 files that old key chains write and read.
///
/// It has a library context of its own, so that nothing else in the process gains weak algorithms.
enum LegacyProvider {
  /// The context with both providers; `nil` if the module (`legacy.so`) is not installed.
  private nonisolated(unsafe) static let context: OpaquePointer? = {
    _ = OpenSSL.initialise
    defer { ERR_clear_error() }
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    guard OSSL_PROVIDER_load(context, "default") != nil, OSSL_PROVIDER_load(context, "legacy") != nil else {
      OSSL_LIB_CTX_free(context)
      return nil
    }
    return context
  }()

  static var isAvailable: Bool { context != nil }

  /// Runs `body` with the legacy algorithms if they are available, on this thread only.
  static func using<Result>(_ body: () -> Result) -> Result {
    guard let context else { return body() }
    let previous = OSSL_LIB_CTX_set0_default(context)
    defer { OSSL_LIB_CTX_set0_default(previous) }
    return body()
  }
}
