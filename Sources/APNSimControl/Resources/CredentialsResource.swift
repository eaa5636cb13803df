import APNSimServer
import APNSimWire
import NIOHTTP1

/// `GET /credentials`: what a provider needs that cannot read the simulator's files, as in another container. Private keys
/// are in it under `--share-credentials` only; the CA's key never is.
///
/// `GET /ca.pem`, beside the API, is the CA's certificate alone, which everybody may have.
enum CredentialsResource {
  static let authorityPath = "/ca.pem"

  static let routes = [
    Route(.GET, "/credentials", isInSandboxes: false) { call in
      guard let endpoints = call.services.endpoints else { throw ProblemDetails.starting }
      let shared = call.services.sharesCredentials
      guard let texts = endpoints.credentials(withKeys: shared) else {
        throw ProblemDetails.unreadableCredentials
      }
      return .json { writer in
        writer.member("ca", texts.authority)
        writer.member("keyId", endpoints.keyID)
        writer.member("teamId", endpoints.teamID)
        writer.member("shared", shared)
        writer.member("authKey", texts.authKey)
        writer.member("providerCertificate", texts.providerCertificate)
        writer.member("providerKey", texts.providerKey)
        writer.key("files")
        writer.beginObject()
        writer.member("ca", endpoints.authorityFile)
        writer.member("authKey", endpoints.providerTokenKeyFile)
        writer.member("providerCertificate", endpoints.providerCertificateFile)
        writer.member("providerKey", endpoints.providerKeyFile)
        writer.member("providerP12", endpoints.providerPKCS12File)
        writer.endObject()
      }
    }
  ]

  /// Answers the path of the CA; nil for any other.
  static func answer(_ path: String, _ method: HTTPMethod, _ services: ControlServices) -> Response? {
    guard path == authorityPath else { return nil }
    guard method == .GET || method == .HEAD else {
      return ProblemDetails.methodNotAllowed(method.rawValue, allowed: ["GET", "HEAD"]).response
    }
    guard let endpoints = services.endpoints else { return ProblemDetails.starting.response }
    guard let texts = endpoints.credentials(withKeys: false) else {
      return ProblemDetails.unreadableCredentials.response
    }
    return .bytes(Array(texts.authority.utf8), type: "application/x-pem-file")
  }
}

extension ProblemDetails {
  fileprivate static let starting = ProblemDetails(
    .serviceUnavailable,
    title: "Not ready",
    detail: "the simulator is starting or stopping"
  )
  fileprivate static let unreadableCredentials = ProblemDetails(
    .serviceUnavailable,
    title: "Unreadable certificates",
    detail:
      "a file of the certificates cannot be read; the simulator's log and \"apnsim certs list\" tell more"
  )
}
