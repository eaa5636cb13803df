import APNSimProvider
import APNSimScenario
import APNSimSystem
import APNSimTLS
import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address that a device connects to, and the certificate that it shows.
struct DeviceOptions: ParsableArguments {
  @Option(help: "The device's name; its certificate is device-NAME.pem in --certs and is made if missing.")
  var name: String?

  @Option(help: "The host to connect to (default: APNSIM_HOST, else 127.0.0.1).")
  var host: String?

  @Option(help: "The device port (default: APNSIM_DEVICE_PORT, else 5223).")
  var port: UInt16?

  @Option(
    name: .customLong("endpoints-file"),
    help: ArgumentHelp("Read host, port and certificates from a server's endpoints file.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var endpointsFile: String?

  @Option(
    help: ArgumentHelp("A device certificate, PEM (default: device.pem in --certs).", valueName: "file"),
    completion: .file()
  )
  var cert: String?

  @Option(
    help: ArgumentHelp("The private key, PEM (default: in the certificate's file).", valueName: "file"),
    completion: .file()
  )
  var key: String?

  @OptionGroup var server: ServerTrustOptions

  func validate() throws {
    guard name == nil || cert == nil else {
      throw ValidationError("--name and --cert both say who the device is: leave one out")
    }
  }
}

extension ProviderTarget {
  /// A device's target: each value from the flags, `--endpoints-file`, `APNSIM_*`, the file that they name and
  /// the certificates, in that order.
  /// - Throws: `CommandFailure` for a file that is not there or cannot be read.
  static func resolve(
    _ options: DeviceOptions,
    environment: [String: String],
    exists: (String) -> Bool = { SystemPath.exists($0) }
  ) throws -> ProviderTarget {
    let variables = ProviderVariables(environment)
    let endpoints = try options.endpointsFile.map { try EndpointsFile.load($0) }
    let fallback = try endpoints ?? variables.endpointsFile.map { try EndpointsFile.load($0) }
    func folder(_ file: String) -> String { URL(fileURLWithPath: file).deletingLastPathComponent().path }
    let directory =
      options.server.certs ?? endpoints?.ca.map(folder) ?? variables.certs ?? fallback?.ca.map(folder)
      ?? "certs"
    let named = options.port.map { Int($0) }
    let port =
      try named ?? endpoints?.device ?? (endpoints == nil ? variables.devicePort() : nil) ?? fallback?.device
    if port == nil, fallback != nil {
      throw CommandFailure(.unreachable, "the server in the endpoints file has no device port")
    }
    let host = options.host ?? endpoints?.host ?? variables.host ?? fallback?.host ?? "127.0.0.1"
    let files = try certificate(options, directory, exists)
    let authority = options.server.ca ?? (exists("\(directory)/ca.pem") ? "\(directory)/ca.pem" : nil)
    return ProviderTarget(
      host: ["0.0.0.0", "::", "loopback"].contains(host) ? "127.0.0.1" : host,
      port: port ?? 5223,
      certificateFile: files.certificate,
      keyFile: files.key,
      password: PKIDirectory.defaultPassword,
      trust: options.server.insecure
        ? .anyServer : authority.map { .authority(caFiles: [$0]) } ?? .system
    )
  }

  /// The device's certificate: the one given, the named device's, the ready-made one.
  private static func certificate(
    _ options: DeviceOptions,
    _ directory: String,
    _ exists: (String) -> Bool
  ) throws -> (certificate: String, key: String?) {
    if let cert = options.cert { return (cert, options.key) }
    let pki = PKIDirectory(path: directory)
    guard let name = options.name else {
      guard exists(pki.device.certificate) else {
        try CommandFailure.checkMayRead(pki.device.certificate)
        throw CommandFailure(
          .badConfiguration,
          "there is no device certificate \(pki.device.certificate)",
          hints: ["\"apnsim serve\" makes one where it runs; --certs DIR or --cert FILE says where it is"]
        )
      }
      return (pki.device.certificate, options.key ?? pki.device.key)
    }
    let request = PKIDirectory.Request(device: name)
    let files = pki.files(of: request)
    if !exists(files.certificate), let issued = try pki.issueIfMissing(request) {
      Output.note("apnsim: made \(issued.files.certificate)")
      return (files.certificate, options.key ?? files.key)
    }
    let holder = try PeerCertificate(file: files.certificate).commonName ?? ""
    guard holder == name else {
      throw CommandFailure(
        .badConfiguration,
        "\(files.certificate): expected the certificate of \"\(name)\", found that of \"\(holder)\"",
        hints: ["\"apnsim certs issue --device NAME -o FILE\" makes one elsewhere; --cert FILE names it"]
      )
    }
    return (files.certificate, options.key ?? files.key)
  }
}
