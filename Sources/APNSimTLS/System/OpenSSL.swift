import COpenSSL

/// Process-wide OpenSSL: initialisation and its queue of errors.
enum OpenSSL {
  /// Initialises the library once, without reading a configuration file: apnsim's own options decide about protocols,
  /// not a `MinProtocol` of the machine it runs on.
  static let initialise: Void = {
    OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
  }()

  /// Takes all queued errors of this thread, oldest first.
  static func drainErrors() -> [QueuedError] {
    var errors: [QueuedError] = []
    while case let code = ERR_get_error(), code != 0 {
      let text = ERR_reason_error_string(code).map { String(cString: $0) }
      errors.append(
        QueuedError(
          library: ERR_GET_LIB(code),
          reason: ERR_GET_REASON(code),
          text: text ?? "error \(code)"
        )
      )
    }
    return errors
  }

  /// Takes all queued errors and returns the last and most specific reason.
  static func lastReason() -> String { drainErrors().last?.text ?? "unknown reason" }

  struct QueuedError {
    var library: Int32
    var reason: Int32
    var text: String
  }
}
