internal import HTTPTypes
internal import Hummingbird

/// `GET /openapi.json`: what there is, for programs.
enum DocumentResource {
  static let routes = [
    Route(.get, "/openapi.json", isInSandboxes: false) { call in
      return .bytes(OpenAPIDocument.bytes, type: "application/json")
    }
  ]
}
