import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTLS

/// Makes provider tokens with the key that a simulator knows.
struct ProviderTokenMint: Sendable {
  let file: String
  let id: String
  let team: String

  /// Finds the key: that of `--certs`, of the endpoints file, of `apnsim exec`, or of the usual directory.
  static func find(_ options: EndpointOptions, environment: [String: String]) throws -> ProviderTokenMint {
    let variables = ProviderVariables(environment)
    let certs = options.credentials.server.certs
    if certs == nil {
      let named = try options.endpointsFile.map { try EndpointsFile.load($0) }
      if let mint = named?.mint ?? (named == nil ? variables.mint : nil) { return mint }
      if named == nil, let mint = try variables.endpointsFile.map({ try EndpointsFile.load($0) })?.mint {
        return mint
      }
    }
    let directory = PKIDirectory(path: certs ?? variables.certs ?? "certs")
    let id = PKIDirectory.defaultProviderKey
    guard let file = directory.existingProviderKey(id) else {
      try CommandFailure.checkMayRead(directory.providerKeyFile)
      throw CommandFailure(
        .badConfiguration,
        "there is no key \(directory.providerKeyFile)",
        hints: [
          "\"apnsim serve\" makes one where it runs; --certs DIR says where it is; --jwt TOKEN or --cert FILE do without"
        ]
      )
    }
    let team = try ProviderKeyRing.scope(of: id, in: directory).team ?? PKIDirectory.defaultTeam
    return ProviderTokenMint(file: file, id: id, team: team)
  }

  /// A token that was issued so many seconds ago.
  func token(age: Int64 = 0) throws -> String {
    try ProviderKeyFile(file).key().token(id: id, team: team, issuedAt: Timestamp.now.seconds - age)
  }
}

extension EndpointsFile {
  fileprivate var mint: ProviderTokenMint? {
    guard let authKey, let keyId, let teamId else { return nil }
    return ProviderTokenMint(file: authKey, id: keyId, team: teamId)
  }
}

extension ProviderVariables {
  fileprivate var mint: ProviderTokenMint? {
    guard let providerKey else { return nil }
    return ProviderTokenMint(file: providerKey.file, id: providerKey.id, team: providerKey.team)
  }
}
