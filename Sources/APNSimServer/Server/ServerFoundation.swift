import APNSimTLS
import Logging
import NIOCore
import NIOPosix

/// The resources that servers can share: certificates, TLS contexts and event loops. A sandbox uses its parent's.
final class ServerFoundation: Sendable {
  let pki: PKIDirectory
  let tls: TLSContext
  /// Of the device port, which believes certificates of the simulator's own CA only.
  let deviceTLS: TLSContext
  let group: MultiThreadedEventLoopGroup

  init(_ server: SimulatorServer) throws {
    let configuration = server.configuration
    pki = try server.pki ?? PKIDirectory.prepare(configuration.files.certificates)
    for note in pki.notes { server.log.say(.notice, note) }
    let options = try Self.tlsOptions(configuration, pki, server.log)
    tls = try TLSContext(server: options)
    deviceTLS = try options.trust == pki.trust ? tls : TLSContext(server: Self.deviceOptions(options, pki))
    Platform.raiseDescriptorLimit(to: configuration.capacity.connections + 256)
    group = MultiThreadedEventLoopGroup(
      numberOfThreads: configuration.capacity.loops ?? min(System.coreCount, 4)
    )
  }

  /// Ends the event loops, on which nothing may run any more.
  func close() async { try? await group.shutdownGracefully() }

  private static func tlsOptions(
    _ configuration: ServerConfiguration,
    _ pki: PKIDirectory,
    _ log: ServerLog
  ) throws(TLSSetupError) -> TLSServerOptions {
    let trust: TLSTrust =
      switch configuration.tls.trust {
      case .any: .anyCertificate
      case .authority:
        .authority(
          caFiles: [pki.caFile] + configuration.tls.clientAuthorityFiles,
          crlFiles: [pki.crlFile] + configuration.tls.revocationListFiles
        )
      }
    var options = TLSServerOptions(identity: .memory(try pki.identity(of: pki.server)), trust: trust)
    options.minimum = configuration.tls.minimum
    options.maximum = configuration.tls.maximum
    options.handshakeTimeout = TimeAmount(configuration.timing.handshakeTimeout)
    options.keyLogFile = configuration.tls.keyLogFile
    options.warn = { log.say(.warning, $0) }
    return options
  }

  /// The options of the device port, which accepts certificates of the simulator's own CA only.
  private static func deviceOptions(_ options: TLSServerOptions, _ pki: PKIDirectory) -> TLSServerOptions {
    var options = options
    options.trust = pki.trust
    return options
  }
}
