import APNSimServer
import APNSimTLS

extension APNSimulator {
  /// The authority that a provider trusts, and the proofs of who it is: files for as long as the process lives, and their content.
  public struct Credentials: Hashable, Sendable {
    /// The CA of the simulator's certificate, which is for `localhost`, `127.0.0.1` and `::1`.
    public let authority: File
    /// A provider certificate for ``APNSimulator/topic``: for the binary interface, and for HTTP/2 in place of provider tokens.
    public let providerCertificate: File
    /// The key of ``providerCertificate``.
    public let providerKey: File
    /// The path of certificate and key in PKCS#12, with the password `apnsim`.
    public let providerPKCS12: String
    /// The key (`.p8`) that signs provider tokens, ES256.
    public let authKey: File
    /// The identifier of ``authKey``: `kid` in a provider token's header.
    public let keyID: String
    /// The team of ``authKey``: `iss` in a provider token.
    public let teamID: String

    /// A file in PEM.
    public struct File: Hashable, Sendable {
      /// Absolute.
      public let path: String
      /// The content.
      public let pem: String
    }

    init(_ endpoints: Endpoints) throws(TLSSetupError) {
      func file(_ path: String) throws(TLSSetupError) -> File {
        File(path: path, pem: String(decoding: try SetupFile.bytes(of: path), as: UTF8.self))
      }
      authority = try file(endpoints.authorityFile)
      providerCertificate = try file(endpoints.providerCertificateFile)
      providerKey = try file(endpoints.providerKeyFile)
      providerPKCS12 = endpoints.providerPKCS12File
      authKey = try file(endpoints.providerTokenKeyFile)
      keyID = endpoints.keyID
      teamID = endpoints.teamID
    }
  }
}
