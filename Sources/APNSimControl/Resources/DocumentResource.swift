import COpenAPIDocument
import NIOHTTP1

/// `GET /openapi.json`: the description of the API, for programs.
enum DocumentResource {
  static let routes = [
    Route(.GET, "/openapi.json", isInSandboxes: false) { call in
      return .bytes(OpenAPIDocument.bytes, type: "application/json")
    }
  ]
}

/// The OpenAPI document of the control API: `openapi.json` of `COpenAPIDocument`, which is part of the program.
package enum OpenAPIDocument {
  package static let bytes: [UInt8] = {
    var count = 0
    let document = apnsim_openapi_document(&count)
    return Array(UnsafeBufferPointer(start: document, count: count))
  }()
}
