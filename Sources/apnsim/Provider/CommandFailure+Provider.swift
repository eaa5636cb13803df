import APNSimProvider

extension CommandFailure {
  /// - Parameter flags: the options that name another address, for the hint.
  init(_ failure: ProviderFailure, flags: String = "--host, --port or --endpoints-file say") {
    self.init(failure.kind == .broken ? .runtimeError : .unreachable, failure.message)
    switch failure.kind {
    case .unreachable: hints = ["is it running? \"apnsim serve\" starts one; \(flags) where it is"]
    case .untrustedServer:
      hints = [
        "the server's certificate is from another CA or for another name; --ca FILE or --certs DIR sets the CA"
      ]
    case .refusedCertificate:
      hints = [
        """
        the server does not accept \(failure.certificateFile ?? "the certificate"); "apnsim certs issue TOPIC" makes \
        one for providers (--environment sandbox for its ports), "apnsim certs issue --device NAME" one for the device \
        port
        """
      ]
    case .failed, .broken: break
    }
  }
}
