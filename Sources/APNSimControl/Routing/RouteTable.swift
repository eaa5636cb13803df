import NIOHTTP1

/// Finds the route of a request, or the exact problem if there is none.
package struct RouteTable: Sendable {
  /// The beginning of every path.
  package static let base = "/api/v1"
  package let routes: [Route]
  private let templates: [Template]

  private struct Template {
    let segments: [Substring]
    let route: Route
  }

  /// A route and the parameters of its path.
  struct Match {
    let route: Route
    let parameters: [String: String]
  }

  init(_ routes: [Route]) {
    self.routes = routes
    templates = routes.flatMap { route in
      let own = Template(segments: Self.segments(of: route.path), route: route)
      guard route.isInSandboxes else { return [own] }
      let path = "/sandboxes/{sandbox}" + route.path
      return [own, Template(segments: Self.segments(of: path), route: route)]
    }
  }

  /// All methods and paths, in the form of the OpenAPI document, with their query parameters.
  package var operations: [(name: String, parameters: [String])] {
    templates.map {
      ("\($0.route.method.rawValue) /" + $0.segments.joined(separator: "/"), $0.route.parameters)
    }
  }

  /// - Parameter path: the path after the base, percent-encoded.
  /// - Throws: `ProblemDetails` 404, or 405 with the allowed methods.
  func find(_ method: HTTPMethod, _ path: Substring) throws(ProblemDetails) -> Match {
    let segments = Self.segments(of: path)
    // A path with an empty name would be that of the whole collection.
    guard !segments.contains("") else { throw .emptyName(Self.base + path) }
    var methods: [String] = []
    for template in templates {
      guard let parameters = Self.parameters(of: segments, in: template.segments) else { continue }
      let found = template.route.method
      if found == method || (method == .HEAD && found == .GET) {
        return Match(route: template.route, parameters: parameters)
      }
      methods.append(found.rawValue)
      if found == .GET { methods.append("HEAD") }
    }
    guard methods.isEmpty else { throw .methodNotAllowed(method.rawValue, allowed: methods.sorted()) }
    throw .noSuchPath(Self.base + path)
  }

  /// The segments of a path, each of which begins with a slash.
  private static func segments(of path: some StringProtocol) -> [Substring] {
    Array(Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst())
  }

  private static func parameters(of segments: [Substring], in template: [Substring]) -> [String: String]? {
    guard segments.count == template.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, expected) in zip(segments, template) {
      guard expected.hasPrefix("{") else {
        guard segment == expected else { return nil }
        continue
      }
      guard let value = PercentEncoding.decode(segment) else { return nil }
      parameters[String(expected.dropFirst().dropLast())] = value
    }
    return parameters
  }
}

extension ProblemDetails {
  static func noSuchPath(_ path: String) -> ProblemDetails {
    ProblemDetails(
      .notFound,
      title: "No such path",
      detail: "there is nothing at \(path)",
      hint: "GET \(RouteTable.base)/openapi.json lists every path"
    )
  }

  /// The problem of a path with an empty segment, as an unset variable leaves one.
  static func emptyName(_ path: String) -> ProblemDetails {
    ProblemDetails(
      .notFound,
      title: "No such path",
      detail: "a name is missing in \(path): expected one after each slash",
      hint: "is a variable empty? the path for all of them has no trailing slash"
    )
  }
}
