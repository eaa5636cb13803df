internal import HTTPTypes
internal import Hummingbird

/// Finds the route of a request, or says exactly why there is none.
package struct RouteTable: Sendable {
  /// Where every path begins.
  package static let base = "/api/v1"
  package let routes: [Route]
  private let templates: [Template]

  private struct Template {
    let segments: [Substring]
    let route: Route
  }

  /// A route and what its path says.
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

  /// Every method and path that is answered, as the OpenAPI document names them, with its query parameters.
  package var operations: [(name: String, parameters: [String])] {
    templates.map {
      ("\($0.route.method.rawValue) /" + $0.segments.joined(separator: "/"), $0.route.parameters)
    }
  }

  /// - Parameter path: what follows the base, percent-encoded.
  /// - Throws: `Problem` 404, or 405 with the methods that there are.
  func find(_ method: HTTPRequest.Method, _ path: Substring) throws(Problem) -> Match {
    let segments = Self.segments(of: path)
    // Without the name of one thing it would be the path of all of them.
    guard !segments.contains("") else { throw .emptyName(Self.base + path) }
    var methods: [String] = []
    for template in templates {
      guard let parameters = Self.parameters(of: segments, in: template.segments) else { continue }
      let found = template.route.method
      if found == method || (method == .head && found == .get) {
        return Match(route: template.route, parameters: parameters)
      }
      methods.append(found.rawValue)
      if found == .get { methods.append("HEAD") }
    }
    guard methods.isEmpty else { throw .methodNotAllowed(method.rawValue, allowed: methods.sorted()) }
    throw .noSuchPath(Self.base + path)
  }

  /// The parts of a path, each of which a slash begins.
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

extension Problem {
  static func noSuchPath(_ path: String) -> Problem {
    Problem(
      .notFound,
      title: "No such path",
      detail: "there is nothing at \(path)",
      hint: "GET \(RouteTable.base)/openapi.json lists every path"
    )
  }

  /// A slash with nothing behind it, as a variable that is not set leaves one.
  static func emptyName(_ path: String) -> Problem {
    Problem(
      .notFound,
      title: "No such path",
      detail: "a name is missing in \(path): expected one after each slash",
      hint: "is a variable empty? the path for all of them has no trailing slash"
    )
  }
}
