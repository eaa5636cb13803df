import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTLS
import ArgumentParser

/// `apnsim certs jwt`: a provider token, for curl.
struct CertificatesJWTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwt",
    abstract: "Print a provider token (JWT), signed with a key of the directory.",
    discussion: """
      curl --http2 --cacert certs/ca.pem -H "authorization: bearer $(apnsim certs jwt)" -H "apns-topic: com.example.app" \
      -d '{"aps":{"alert":"hi"}}' https://localhost:2197/3/device/$(printf aa%.0s $(seq 32))
      """
  )

  @Option(
    help: ArgumentHelp(
      "The key: its identifier, or a file AuthKey_ID.p8 (default: \(PKIDirectory.defaultProviderKey)).",
      valueName: "id or file"
    ),
    completion: .file(extensions: ["p8"])
  )
  var key = PKIDirectory.defaultProviderKey

  @Option(
    help: ArgumentHelp("The team (default: the key's, else \(PKIDirectory.defaultTeam)).", valueName: "team")
  )
  var team: String?

  @Option(
    name: .customLong("issued-at"),
    help: ArgumentHelp(
      "When it is issued, as RFC 3339 or seconds since 1970; a virtual clock may need another time (default: now).",
      valueName: "time"
    )
  )
  var issuedAt: String?

  @OptionGroup var directory: CertificateDirectoryOptions

  func validate() throws {
    if let issuedAt, Timestamp(issuedAt) == nil {
      throw ValidationError(
        "--issued-at: expected a time such as 2026-06-01T00:00:00Z or 1780272000, found \"\(issuedAt)\""
      )
    }
    if let team, !PKIDirectory.isProviderKeyID(team) {
      throw ValidationError("--team: expected up to 64 letters and digits, found \"\(team)\"")
    }
  }

  func run() throws {
    let (id, path, scope) = try found()
    let token = try ProviderKey.read(path).token(
      id: id,
      team: team ?? scope.team ?? PKIDirectory.defaultTeam,
      issuedAt: issuedAt.flatMap { Timestamp($0)?.seconds } ?? Timestamp.now.seconds
    )
    Output.line(token)
  }

  private func found() throws -> (id: String, path: String, scope: ProviderKeyScope) {
    if !PKIDirectory.isProviderKeyID(key) {
      let file = ProviderKeyFile(key)
      guard let id = file.id else {
        throw CommandFailure(.badConfiguration, "\(file.path): expected a file name such as AuthKey_ID.p8")
      }
      return (id, file.path, ProviderKeyScope(team: file.team))
    }
    var directory = try directory.existing()
    // A directory of an older version has no key yet.
    if key == PKIDirectory.defaultProviderKey { directory = try PKIDirectory.prepare(directory.path) }
    guard let known = directory.providerKeys().first(where: { $0.id == key }) else {
      let others = directory.providerKeys().map(\.id).joined(separator: ", ")
      throw CommandFailure(
        .badConfiguration,
        "\(directory.path): has no key \(key); there are \(others)",
        hints: ["\"apnsim certs key\" makes one"]
      )
    }
    return (key, known.path, try ProviderKeyRing.scope(of: key, in: directory))
  }
}
