/// The OpenAPI document of the control API: `openapi.json` beside this file, as part of the program.
package enum OpenAPIDocument {
  package static let bytes = Array((text + "\n").utf8)
}
