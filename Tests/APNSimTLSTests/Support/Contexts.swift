import APNSimTLS
import APNSimTestSupport
import NIOCore

/// Contexts with the shared test PKI and what a test wants to be different.
enum Contexts {
  static func server(
    identity: TLSIdentitySource = .memory(TestPKI.shared.server),
    trust: TLSTrust? = nil,
    _ change: (inout TLSServerOptions) -> Void = { _ in }
  ) throws -> TLSContext {
    var options = TLSServerOptions(
      identity: identity,
      trust: trust ?? .authority(caFiles: [try caFile()], crlFiles: [])
    )
    // A test that is not about it must not end by it, however busy the machine is.
    options.handshakeTimeout = .minutes(5)
    change(&options)
    return try TLSContext(server: options)
  }

  static func client(
    _ identity: TLSIdentity? = TestPKI.shared.provider,
    trust: TLSClientOptions.ServerTrust? = nil,
    _ change: (inout TLSClientOptions) -> Void = { _ in }
  ) throws -> TLSContext {
    var options = TLSClientOptions(
      identity: identity.map { .memory($0) },
      trust: try trust ?? .authority(caFiles: [caFile()])
    )
    options.maximum = .v1_2
    options.handshakeTimeout = .minutes(5)
    change(&options)
    return try TLSContext(client: options)
  }

  static func caFile() throws -> String { try shared.get() }

  private static let shared = Result {
    try TemporaryDirectory.ofThisRun.write("ca.pem", TestPKI.shared.authority.certificate.pem)
  }
}
