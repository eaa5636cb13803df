/// The content of one file of trusted CAs or of revocation lists, and its stamp when it was read.
struct TrustFile: Sendable {
  enum Content {
    case certificates
    case revocationLists
  }

  private let path: String
  private let content: Content
  private let stamp: SetupFile.Stamp?
  let certificates: [X509Certificate]
  private let lists: [RevocationList]

  /// Reads a file at start; it may be a pipe.
  init(_ path: String, _ content: Content) throws(TLSSetupError) {
    try self.init(path, content, SetupFile.stamp(path), .anything)
  }

  /// Reads a file once more, if it is a regular one: anything else might block.
  init(again file: TrustFile, stamp: SetupFile.Stamp?) throws(TLSSetupError) {
    try self.init(file.path, file.content, stamp, .regularFile)
  }

  private init(
    _ path: String,
    _ content: Content,
    _ stamp: SetupFile.Stamp?,
    _ source: SetupFile.Source
  ) throws(TLSSetupError) {
    self.path = path
    self.content = content
    self.stamp = stamp
    certificates = content == .certificates ? try PEMFile.certificates(path, from: source) : []
    lists = content == .revocationLists ? try PEMFile.revocationLists(path, from: source) : []
  }

  /// True if the file has changed since it was read. What was read from a pipe holds until a regular file takes the
  /// pipe's place.
  func isOutdated(by present: SetupFile.Stamp?) -> Bool {
    guard present != stamp else { return false }
    return stamp?.isRegular != false || present?.isRegular == true
  }

  /// The lists that count: those that a trusted CA has signed, and those of issuers that are not trusted CAs, such as
  /// one between a CA and a certificate.
  /// - Throws: an error if no list of a CA's name has that CA's signature.
  func lists(for authorities: [X509Certificate]) throws(TLSSetupError) -> [RevocationList] {
    var counted: [RevocationList] = []
    for list in lists {
      let issuers = authorities.filter { list.names($0) }
      if issuers.isEmpty || issuers.contains(where: { list.isSigned(by: $0) }) {
        counted.append(list)
      } else if !lists.contains(where: { other in issuers.contains { other.isSigned(by: $0) } }) {
        throw TLSSetupError(
          file: path,
          reason:
            "expected a revocation list signed by the CA that it names, found one with a wrong signature"
        )
      }
    }
    return counted
  }
}
