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
      return .json(CredentialsAnswer(endpoints: endpoints, texts: texts, isShared: shared))
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

struct CredentialsAnswer: JSONObject {
  let endpoints: Endpoints
  let texts: SharedCredentials
  let isShared: Bool

  private struct Files: JSONObject {
    let endpoints: Endpoints

    static let shape = JSONShape<Self> {
      $0.member("ca") { $0.endpoints.authorityFile }
      $0.member("authKey") { $0.endpoints.providerTokenKeyFile }
      $0.member("providerCertificate") { $0.endpoints.providerCertificateFile }
      $0.member("providerKey") { $0.endpoints.providerKeyFile }
      $0.member("providerP12") { $0.endpoints.providerPKCS12File }
    }
  }

  static let shape = JSONShape<Self>("Credentials") {
    $0.member("ca", "The CA's certificate.") { $0.texts.authority }
    $0.member("keyId", "Of the key for provider tokens: kid.") { $0.endpoints.keyID }
    $0.member("teamId", "Of the key for provider tokens: iss.") { $0.endpoints.teamID }
    $0.member("shared", "Whether private keys are handed out (--share-credentials).") { $0.isShared }
    $0.member("authKey", "The .p8 key; null where keys are not handed out.") { $0.texts.authKey }
    $0.member("providerCertificate", "Null where keys are not handed out.") { $0.texts.providerCertificate }
    $0.member("providerKey", "Null where keys are not handed out.") { $0.texts.providerKey }
    $0.member("files", "Paths on the simulator's machine.") { Files(endpoints: $0.endpoints) }
  }
}

extension ProblemDetails {
  static let starting = ProblemDetails(
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
