import APNSimScenario
package import NIOHTTP1

extension Route {
  /// True for a call that changes nothing, as far as its request says.
  func onlyLooks(_ request: HTTPRequest) -> Bool {
    if method == .GET || Self.questions.contains(path) { return true }
    let query = try? QueryParameters(request.query, known: parameters)
    return parameters.contains("preview") && query?["preview"] == "true"
  }

  /// The paths whose bodies are questions.
  private static let questions: Set<String> = ["/notifications/wait", "/clock/preview", "/scenario/check"]
}

/// One route: a method, a path, and the function that answers.
package struct Route: Sendable {
  package let method: HTTPMethod
  /// The path below the base, as in the OpenAPI document: `/notifications/{id}`.
  package let path: String
  /// True if each sandbox has the route as well, under `/sandboxes/{sandbox}`.
  package let isInSandboxes: Bool
  /// The known query parameters.
  package let parameters: [String]
  /// True if its answer may be large, and is not made while others of that kind fill their room.
  let isList: Bool
  let body: Body
  let answer: @Sendable (Call) async throws -> Response

  /// The kinds of request bodies.
  enum Body: Sendable {
    /// No body, or an object without members.
    case none
    case json
    /// A scenario, in any form and size that a file may have.
    case scenario

    var mostBytes: Int { self == .scenario ? DocumentLimits.bytes : 1 << 20 }
  }

  init(
    _ method: HTTPMethod,
    _ path: String,
    isInSandboxes: Bool = true,
    query parameters: [String] = [],
    isList: Bool = false,
    body: Body = .none,
    answer: @escaping @Sendable (Call) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.isInSandboxes = isInSandboxes
    self.parameters = parameters
    self.isList = isList || parameters.contains("limit")
    self.body = body
    self.answer = answer
  }
}
