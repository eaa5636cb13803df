import APNSimCore
import APNSimTLS
import ArgumentParser

/// `apnsim certs issue`: a provider certificate for a topic of one's own, or a device's certificate.
struct CertificatesIssueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue",
    abstract: "Make a provider certificate for one or more topics, or a device's certificate.",
    discussion: """
      Writes PREFIX.pem, PREFIX.key, PREFIX-combined.pem (both in one), PREFIX.p12 and PREFIX-legacy.p12 (in \
      the encryption that old clients read). Several topics go into the certificate's topics extension.
      """
  )

  /// The environments a certificate can be for.
  enum Environment: String, CaseIterable, ExpressibleByArgument {
    case production
    case sandbox
    case both

    var environments: CertificateEnvironments {
      switch self {
      case .production: .production
      case .sandbox: .sandbox
      case .both: .both
      }
    }
  }

  @Argument(help: "The topic: the app's bundle ID. The first one is the certificate's default.")
  var topics: [String] = []

  @Option(help: "Make a certificate for the device of this name instead.")
  var device: String?

  @Option(
    help: "Where it is good for: production, sandbox or both (default: production); a device's is for both."
  )
  var environment: Environment?

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: """
      The files without their endings (default: in --certs, the topic, with -sandbox or -both for that environment).
      """,
    completion: .file()
  )
  var prefix: String?

  @Option(help: "The password of the PKCS#12 files.")
  var password = PKIDirectory.defaultPassword

  @Option(
    name: .customLong("key-type"),
    help: "The key: rsa, which old clients read, or ec (default: rsa); a device's is ec."
  )
  var algorithm: PrivateKey.Algorithm?

  func validate() throws {
    guard topics.isEmpty != (device == nil) else {
      throw ValidationError("a certificate is for topics or for one --device NAME")
    }
    if device != nil {
      for (flag, isGiven) in [("--environment", environment != nil), ("--key-type", algorithm != nil)]
      where isGiven {
        throw ValidationError("\(flag) is for topics: a device's certificate has no choice of it")
      }
    }
    for topic in topics where !AppKey.isTopic(topic) {
      throw ValidationError("expected \(AppKey.expectedTopic), found \"\(topic)\"")
    }
  }

  func run() throws {
    var request: PKIDirectory.Request
    if let device {
      request = PKIDirectory.Request(device: device)
    } else {
      request = PKIDirectory.Request(
        .provider(
          topics: topics.map { .init(name: $0, kind: Self.kind(of: $0)) },
          environments: environment?.environments ?? .production
        )
      )
      request.algorithm = algorithm ?? .rsa2048
    }
    request.password = password
    request.prefix = prefix
    let issued = try directory.prepared().issue(request)
    for note in issued.notes { Output.note("apnsim: note: \(note)") }
    let files = issued.files
    Output.lines([files.certificate, files.key, files.combined, files.pkcs12])
    if issued.notes.isEmpty { Output.line(files.legacyPKCS12) }
  }

  /// The kind that Apple's topics extension gives a topic, by its name.
  static func kind(of topic: String) -> String {
    for kind in ["voip", "complication"] where topic.hasSuffix("." + kind) { return kind }
    return "app"
  }
}
