package import HTTPTypes
internal import Hummingbird

/// One thing that can be asked: a method, a path, and what answers.
package struct Route: Sendable {
  package let method: HTTPRequest.Method
  /// Below the base, as the OpenAPI document writes it: `/notifications/{id}`.
  package let path: String
  /// Whether each sandbox has it as well, under `/sandboxes/{sandbox}`.
  package let isInSandboxes: Bool
  /// Bytes that its body may have at most.
  let mostBytes: Int
  let answer: @Sendable (Call) async throws -> Response

  init(
    _ method: HTTPRequest.Method,
    _ path: String,
    isInSandboxes: Bool = true,
    mostBytes: Int = 1 << 20,
    answer: @escaping @Sendable (Call) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.isInSandboxes = isInSandboxes
    self.mostBytes = mostBytes
    self.answer = answer
  }
}
