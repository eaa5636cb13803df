import APNSimServer
import NIOHTTP1

/// Decides whether a request is allowed: cross-site requests of browsers are not, nor, where there is a token, are
/// requests without it.
struct AccessGuard: Sendable {
  private let isLoopback: Bool
  private let token: String?
  /// The names that a server beyond loopback was given, in lower case.
  private let names: Set<String>

  init(_ configuration: ServerConfiguration) {
    isLoopback = configuration.listening.isLoopback
    token = configuration.control.token
    names = Set(
      (configuration.tls.serverNames + [configuration.listening.host ?? ""]).map { $0.lowercased() }
    )
  }

  /// True if requests need a token.
  var needsToken: Bool { token != nil }

  /// - Throws: `ProblemDetails` 401 or 403.
  func check(_ request: HTTPRequest) throws(ProblemDetails) {
    try checkSite(request)
    try checkToken(request)
  }

  /// Checks that no other site's page is behind the request.
  /// - Throws: `ProblemDetails` 403.
  func checkSite(_ request: HTTPRequest) throws(ProblemDetails) {
    let host = request.host
    // A page of another site can resolve its name to our address (DNS rebinding), but the browser still sends that name.
    // With a token, such a page has nothing to show.
    let name = Self.name(of: host)
    let isOurName =
      isLoopback
      ? ServerConfiguration.Listening.isLoopback(name) : needsToken || isNobodyElses(name.lowercased())
    guard isOurName else {
      throw ProblemDetails(
        .forbidden,
        title: "Foreign host",
        detail:
          "expected \(isLoopback ? "a loopback address or localhost" : "an address, a name without a dot or one of our own")"
          + " in the Host header, found \"\(host)\"",
        hint: isLoopback
          ? "start with --host to be reached by another name"
          : "--server-name adds a name; with --control-token any will do"
      )
    }
    if let origin = request[header: "Origin"], !Self.isOurs(origin, host) {
      throw Self.foreign("expected our own origin, http://\(host), found \"\(origin)\"")
    }
    // A link to the page may be anywhere; what a page of another site loads by itself could hold our places and time.
    let isOpened = request.method == .GET && request[header: "Sec-Fetch-Dest"] == "document"
    if let site = request[header: "Sec-Fetch-Site"], site.lowercased() == "cross-site", !isOpened {
      throw Self.foreign("a browser sent it on behalf of another site")
    }
  }

  /// True for an address or a name that no other site can have in the public DNS.
  private func isNobodyElses(_ name: String) -> Bool {
    if name.isEmpty { return false }
    let isAddress = name.contains(":") || name.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
    return isAddress || !name.contains(".") || names.contains(name)
      || Self.privateEndings.contains { name.hasSuffix($0) }
  }

  /// Names that are never public (RFC 6761, RFC 6762, and `.internal`, which ICANN reserved in 2024).
  private static let privateEndings = [".localhost", ".local", ".internal", ".test"]

  private func checkToken(_ request: HTTPRequest) throws(ProblemDetails) {
    guard let token else { return }
    guard let said = request[header: "Authorization"], Self.areEqual(Self.bearer(said), token) else {
      var problem = ProblemDetails(
        .unauthorized,
        title: "No access",
        detail: request[header: "Authorization"] == nil
          ? "expected an Authorization header, found none" : "the token in the Authorization header is wrong",
        hint: "send Authorization: Bearer TOKEN, with the value of --control-token"
      )
      problem.headers.add(name: "WWW-Authenticate", value: "Bearer")
      throw problem
    }
  }

  /// The token after `Bearer`, in any case (RFC 9110, 11.1); empty for another scheme.
  private static func bearer(_ said: String) -> String {
    let parts = said.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
  }

  private static func foreign(_ detail: String) -> ProblemDetails {
    ProblemDetails(.forbidden, title: "Cross-site request", detail: detail)
  }

  private static func isOurs(_ origin: String, _ host: String) -> Bool {
    origin.lowercased() == "http://\(host.lowercased())"
  }

  /// The name or address of `name:port` or `[address]:port`; empty for what is neither.
  static func name(of host: String) -> Substring {
    let isBracketed = host.hasPrefix("[")
    let name = isBracketed ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    let rest = host[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
    let isPort =
      rest.utf8.first == UInt8(ascii: ":") && rest.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    return rest.isEmpty || isPort ? name : ""
  }

  /// Compares in constant time, which does not show how much of the token was right.
  private static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var difference: UInt8 = left.count == right.count ? 0 : 1
    for (index, byte) in right.enumerated() { difference |= byte ^ (index < left.count ? left[index] : 0) }
    return difference == 0
  }
}
