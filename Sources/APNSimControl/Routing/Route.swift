internal import APNSimScenario
package import HTTPTypes
internal import Hummingbird

/// One thing that can be asked: a method, a path, and what answers.
package struct Route: Sendable {
  package let method: HTTPRequest.Method
  /// Below the base, as the OpenAPI document writes it: `/notifications/{id}`.
  package let path: String
  /// Whether each sandbox has it as well, under `/sandboxes/{sandbox}`.
  package let isInSandboxes: Bool
  /// The query parameters that it knows.
  package let parameters: [String]
  let body: Body
  let answer: @Sendable (Call) async throws -> Response

  /// What the body of a request may be.
  enum Body: Sendable {
    /// Nothing, or an object without members.
    case none
    case json
    /// What a file may be.
    case scenario

    var mostBytes: Int { self == .scenario ? DocumentLimits.bytes : 1 << 20 }
  }

  init(
    _ method: HTTPRequest.Method,
    _ path: String,
    isInSandboxes: Bool = true,
    query parameters: [String] = [],
    body: Body = .none,
    answer: @escaping @Sendable (Call) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.isInSandboxes = isInSandboxes
    self.parameters = parameters
    self.body = body
    self.answer = answer
  }
}
