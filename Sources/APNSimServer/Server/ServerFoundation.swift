import APNSimSystem
import APNSimTLS
import Logging
import NIOCore
import NIOPosix

/// The resources that servers can share: certificates, TLS contexts and event loops. A sandbox uses its parent's.
final class ServerFoundation: Sendable {
  let pki: PKIDirectory
  let credentials: ServerCredentials
  let group: MultiThreadedEventLoopGroup

  init(_ server: SimulatorServer) throws {
    let configuration = server.configuration
    ThisProcess.raiseDescriptorLimit(to: configuration.capacity.connections + 256)
    let loops = configuration.capacity.loops ?? min(System.coreCount, 4)
    try Self.checkDescriptors(loops, configuration)
    pki =
      try server.additions.pki
      ?? PKIDirectory.prepare(
        configuration.files.certificates,
        serverNames: configuration.tls.serverNames
      )
    for note in pki.notes { server.log.say(.notice, note) }
    if let path = configuration.tls.keyLogFile { try Self.checkKeyLog(path) }
    let options = try Self.tlsOptions(configuration, pki, server.log)
    let tls = try TLSContext(server: options)
    var keys = try ProviderKeyRing(
      pki,
      files: configuration.requests.authKeys,
      keyID: configuration.requests.keyID
    )
    keys.use(server.additions.providerKeys)
    credentials = ServerCredentials(
      tls: tls,
      deviceTLS: try options.trust == pki.trust ? tls : TLSContext(server: Self.deviceOptions(options, pki)),
      requestTLS: try TLSContext(server: Self.requestOptions(options)),
      providerKeys: keys
    )
    group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
  }

  /// Session secrets are appended to a key log, and to no other file.
  private static func checkKeyLog(_ path: String) throws(ServerError) {
    do throws(OutputFailure) {
      try NamedFile.check(path, for: .keyLog)
    } catch {
      throw ServerError(kind: .write, description: "\(error)")
    }
  }

  /// An event loop that cannot have its descriptors ends the process.
  private static func checkDescriptors(_ loops: Int, _ configuration: ServerConfiguration) throws(ServerError)
  {
    let control = configuration.control.isOn ? 1 : 0
    let needed =
      ThisProcess.openDescriptorCount + (loops + control) * descriptorsOfLoop + configuration.plans.count
      + control
      + spareDescriptors
    guard needed > ThisProcess.descriptorLimit else { return }
    throw ServerError(
      kind: .descriptors,
      description:
        "this process may have \(ThisProcess.descriptorLimit) open files, and needs \(needed) to start (raise it with "
        + "ulimit -n, to a few more than the connections that it is to have)"
    )
  }

  /// An event loop's: the selector, its wake-up and its timer.
  private static let descriptorsOfLoop = 3
  /// For a recording, the endpoints, a command's pipes and the first connections.
  private static let spareDescriptors = 12

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

  /// The options of ports of requests: TLS 1.2 and 1.3, whatever the ports of the binary interface have.
  private static func requestOptions(_ options: TLSServerOptions) -> TLSServerOptions {
    var options = options
    (options.minimum, options.maximum) = (max(options.minimum, .v1_2), .v1_3)
    options.requiresCertificate = false
    options.applicationProtocols = ["h2"]
    return options
  }

  /// The options of the device port, which accepts certificates of the simulator's own CA only.
  private static func deviceOptions(_ options: TLSServerOptions, _ pki: PKIDirectory) -> TLSServerOptions {
    var options = options
    options.trust = pki.trust
    return options
  }
}
