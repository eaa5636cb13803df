import NIOHTTP1

/// `GET /openapi.json`: the description of the API, for programs.
enum DocumentResource {
  static let routes = [
    Route(.GET, "/openapi.json", isInSandboxes: false) { call in
      return .bytes(OpenAPIDocument.bytes, type: "application/json")
    }
  ]
}
