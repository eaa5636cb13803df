import APNSimServer
import NIOHTTP1

/// The answers with the page for people: one document for all of its panes, and the files that it loads.
///
/// They carry nothing that is secret and need no token; a request by another host's name is refused like any other.
struct PageAnswers: Sendable {
  private let mode: PageMode
  /// True if the simulator stands in Apple's place, which the page shows.
  private let isAsApple: Bool

  /// The first parts of the paths that the page shows something at; each may have more after it.
  static let panes: Set<String> = [
    "advice", "capture", "channels", "clock", "connections", "devices", "faults", "feedback", "latest",
    "notifications", "sandboxes", "scenario", "send",
  ]

  /// The policy of the page: nothing from elsewhere, no script and no style but files, no text that becomes markup.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

  init(_ mode: PageMode, isAsApple: Bool) { (self.mode, self.isAsApple) = (mode, isAsApple) }

  /// Answers a path of the page; nil for any other.
  /// - Throws: `ProblemDetails` 403, 404, 405.
  func answer(
    _ request: HTTPRequest,
    _ services: ControlServices,
    _ access: AccessGuard
  ) throws(ProblemDetails) -> Response? {
    guard mode != .off, let path = PagePath(request.path) else { return nil }
    try access.checkSite(request)
    guard request.method == .GET || request.method == .HEAD else {
      throw ProblemDetails.methodNotAllowed(request.method.rawValue, allowed: ["GET", "HEAD"])
    }
    switch path {
    case .asset(let name): return try asset(name, request)
    case .pane(let sandbox, let parts):
      // Where a token is needed, nothing that it protects is in the page.
      let list = access.needsToken ? nil : PageReading(services, sandbox, parts, request.query)
      return shell(needsToken: access.needsToken, services, list?.html ?? "")
    }
  }

  private func asset(_ name: String, _ request: HTTPRequest) throws(ProblemDetails) -> Response {
    guard name != "index.html", let asset = PageAssets.all[name] else {
      throw ProblemDetails.noSuchPath(request.path)
    }
    var headers = Self.headers
    headers.add(name: "Cache-Control", value: "no-cache")
    headers.add(name: "ETag", value: asset.tag)
    guard request[header: "If-None-Match"] != asset.tag else {
      return Response(status: .notModified, headers: headers)
    }
    return .bytes(asset.bytes, type: asset.type, headers: headers)
  }

  private func shell(needsToken: Bool, _ services: ControlServices, _ list: String) -> Response {
    let text = PageAssets.shell
      .replacing("{{page}}", with: mode.rawValue)
      .replacing("{{token}}", with: needsToken ? "yes" : "no")
      .replacing("{{recording}}", with: services.recording == nil ? "no" : "yes")
      .replacing("{{asApple}}", with: isAsApple ? "yes" : "no")
      // The last one: what it brings is not looked through.
      .replacing("{{list}}", with: list)
    return .bytes(Array(text.utf8), type: "text/html; charset=utf-8", headers: Self.headers)
  }

  private static let headers: HTTPHeaders = [
    "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer",
  ]
}

/// A path of the page.
enum PagePath: Hashable {
  /// A file, by its path below `/page/`.
  case asset(String)
  /// A pane of a sandbox or, with nil, of the main simulator, by the parts of its path.
  case pane(sandbox: String?, [String])

  /// Reads a path; nil for one that the page has nothing at.
  init?(_ path: String) {
    let segments = path.split(separator: "/").map(String.init)
    if segments.first == "page", path.hasPrefix("/page/") {
      self = .asset(String(path.dropFirst(6)))
      return
    }
    var parts: [String] = []
    for segment in segments {
      guard let part = PercentEncoding.decode(segment) else { return nil }
      parts.append(part)
    }
    let isSandbox = parts.first == "sandboxes" && parts.count > 1
    let rest = isSandbox ? Array(parts.dropFirst(2)) : parts
    guard rest.first.map({ PageAnswers.panes.contains($0) }) ?? true else { return nil }
    self = .pane(sandbox: isSandbox ? parts[1] : nil, rest)
  }
}
