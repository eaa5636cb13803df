import APNSimControl
import APNSimServer
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@testable import APNSimScenario

@Suite struct `The OpenAPI document` {
  @Test
  func `the OpenAPI document has the operations that there are, each once, with their query parameters`()
    throws
  {
    let document = try JSONValue.parse(OpenAPIDocument.bytes)
    var documented: [String: [String]] = [:]
    for path in document.member("paths")?.objectValue ?? [] where path.value.member("servers") == nil {
      for operation in path.value.objectValue ?? [] {
        let name = "\(operation.key.uppercased()) \(path.key)"
        #expect(documented[name] == nil)
        documented[name] = parameters(of: operation.value, in: document)
      }
    }
    let operations = ControlServer.table.operations
    #expect(
      documented == Dictionary(uniqueKeysWithValues: operations.map { ($0.name, $0.parameters.sorted()) })
    )
  }

  /// The names of an operation's query parameters.
  private func parameters(of operation: JSONValue, in document: JSONValue) -> [String] {
    let references = operation.member("parameters")?.arrayValue ?? []
    let all = references.compactMap { reference in
      let name = reference.member("$ref")?.stringValue?.split(separator: "/").last.map(String.init)
      return name.flatMap { document["components.parameters.\($0)"] }
    }
    return all.filter { $0["in"] == .string("query") }.compactMap { $0["name"]?.stringValue }.sorted()
  }

  @Test func `Every schema that the OpenAPI document refers to is in it once, and every one is referred to`()
    throws
  {
    let document = try JSONValue.parse(OpenAPIDocument.bytes)
    let names = try #require(document["components.schemas"]?.objectValue).map(\.key)
    #expect(Set(names).count == names.count)
    let prefix = "#/components/schemas/"
    let used = Self.values(of: "$ref", in: document).compactMap(\.stringValue).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
    #expect(Set(used).subtracting(names).isEmpty)
    // The data of events is text to a schema, and the documents name theirs.
    #expect(Set(names).subtracting(used) == ["DigestHello", "Digest"])
  }

  @Test func `The part of the OpenAPI document that is written by hand lists the members of nothing`()
    throws
  {
    let written = try JSONValue.parse(OpenAPIDocument.written)
    #expect(Self.values(of: "schema", in: written).count > 50)
    #expect(Self.values(of: "properties", in: written).isEmpty)
  }

  /// The values at a key, wherever it stands.
  private static func values(of key: String, in value: JSONValue) -> [JSONValue] {
    switch value {
    case .object(let members):
      members.flatMap { $0.key == key ? [$0.value] : values(of: key, in: $0.value) }
    case .array(let elements): elements.flatMap { values(of: key, in: $0) }
    default: []
    }
  }

  @Test func `the OpenAPI document has the bound of counts that requests have`() async throws {
    let document = try JSONValue.parse(OpenAPIDocument.bytes)
    let most = try #require(document["components.schemas.Count.oneOf.0.maximum"]?.intValue)
    try await TestControl.run { test in
      for (count, status) in [(most, 200), (most + 1, 400)] {
        let body = #"{"count":\#(count),"timeout":"1ms"}"#
        let answer = try await test.http(.POST, "/api/v1/notifications/wait", body)
        #expect(answer.status == status)
      }
    }
  }

  @Test func `the OpenAPI document has the schema of scenarios beside it`() async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, "/api/v1/scenario/schema")
      #expect(reply.bytes == Array(ScenarioSchema.text.utf8))
      #expect(reply.headers["Content-Type"] == ["application/schema+json"])
    }
  }

  @Test func `the OpenAPI document is served`() async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, "/api/v1/openapi.json")
      #expect(reply.bytes == OpenAPIDocument.bytes)
      #expect(reply.headers["Content-Type"] == ["application/json"])
    }
  }
}
