import APNSimCore
import APNSimProvider
import APNSimServer
import APNSimTLS
import ArgumentParser

/// The keys that sign the provider tokens of a replay.
enum ReplayKeys {
  /// - Parameter files: those named, `FILE` or `FILE:TEAM`; without any, those that the simulator knows.
  /// - Throws: `CommandFailure` for a name without an identifier; `TLSSetupError` for a file that is no key.
  static func find(
    _ files: [String],
    _ credentials: CredentialOptions,
    _ environment: [String: String]
  ) throws -> [ReplayTokens.Key] {
    guard files.isEmpty else {
      return try files.map { text in
        let file = ProviderKeyFile(text)
        guard let id = file.id else {
          throw CommandFailure(
            .badConfiguration,
            "\(file.path): expected a name as Apple gives keys, AuthKey_<ID>.p8: the identifier is taken from it"
          )
        }
        return ReplayTokens.Key(id: id, team: file.team, key: try ProviderKey.read(file.path))
      }
    }
    var options = try EndpointOptions.parse([])
    options.credentials = credentials
    // A capture may do without: requests with provider tokens tell.
    guard let mint = try? ProviderTokenMint.find(options, environment: environment) else { return [] }
    var keys = [ReplayTokens.Key(id: mint.id, team: mint.team, key: try ProviderKeyFile(mint.file).key())]
    let directory = PKIDirectory(
      path: credentials.server.certs ?? ProviderVariables(environment).certs ?? "certs"
    )
    for file in directory.providerKeys() where file.id != mint.id {
      let team = try ProviderKeyRing.scope(of: file.id, in: directory).team
      keys.append(ReplayTokens.Key(id: file.id, team: team, key: try ProviderKey.read(file.path)))
    }
    return keys
  }
}
