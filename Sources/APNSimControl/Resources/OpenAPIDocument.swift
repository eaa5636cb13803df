/// The OpenAPI document, which stands beside this file and is part of the program.
package enum OpenAPIDocument {
  package static let bytes: [UInt8] = PackageResources.openapi_json
}
