import APNSimCore
import APNSimTLS
import ArgumentParser

/// `apnsim certs issue`: a provider certificate for a topic of one's own, or a device's certificate.
struct CertificatesIssueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue",
    abstract: "Make a provider certificate for one or more topics, or a device's certificate.",
    discussion: """
      Writes PREFIX.pem, PREFIX.key, PREFIX-combined.pem (both in one), PREFIX.p12 and PREFIX-legacy.p12 (with \
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

  @Argument(
    help: ArgumentHelp(
      "The topic: the app's bundle ID. The first one is the certificate's default.",
      valueName: "topic"
    )
  )
  var topics: [String] = []

  @Option(help: ArgumentHelp("Make a certificate for the device with this name instead.", valueName: "name"))
  var device: String?

  @Option(
    help: "The environment: production, sandbox or both (default: production); a device's is for both."
  )
  var environment: Environment?

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      """
      The files' path without extension (default: the topic, in --certs, with -sandbox or -both if for those).
      """,
      valueName: "prefix"
    ),
    completion: .file()
  )
  var prefix: String?

  @Option(help: "The password of the PKCS#12 files.")
  var password = PKIDirectory.defaultPassword

  @Option(
    name: .customLong("key-type"),
    help: ArgumentHelp(
      "The type of the key: rsa, which old clients read, or ec (default: rsa); a device's is ec.",
      valueName: "type"
    )
  )
  var algorithm: PrivateKey.Algorithm?

  func validate() throws {
    guard topics.isEmpty != (device == nil) else {
      throw ValidationError("expected either topics or --device NAME")
    }
    if device != nil {
      for (flag, isGiven) in [("--environment", environment != nil), ("--key-type", algorithm != nil)]
      where isGiven {
        throw ValidationError("\(flag) requires topics: a device's certificate does not have that choice")
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
