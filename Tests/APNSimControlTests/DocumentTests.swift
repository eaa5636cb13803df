import APNSimControl
import APNSimServer
import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import APNSimScenario

@Suite struct `The OpenAPI document` {
  private static var file: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/COpenAPIDocument/openapi.json")
  }

  @Test func `the OpenAPI document is the same in the program and in the repository`() throws {
    #expect(try Array(Data(contentsOf: Self.file)) == OpenAPIDocument.bytes)
  }

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

  @Test func `The schemas of bodies are made of the nouns that bodies are read by`() throws {
    let document = try String(contentsOf: Self.file, encoding: .utf8)
    var made = document
    for schema in ControlSchemas.all { try Self.put(schema, into: &made) }
    if ProcessInfo.processInfo.environment["UPDATE"] == "yes" {
      try made.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(made == document, "UPDATE=yes with this test writes Sources/COpenAPIDocument/openapi.json anew")
    }
  }

  /// Puts a schema in the place of the one that the document has under its name.
  private static func put(_ schema: JSONValue.Member, into document: inout String) throws {
    let indent = "      "
    let head = "\n\(indent)\"\(schema.key)\": "
    let schemas = try #require(document.range(of: "\n    \"schemas\": {"))
    let start = try #require(document.range(of: head, range: schemas.upperBound..<document.endIndex))
    // On one line, or to the brace below its name.
    let line = document[start.upperBound...].prefix { $0 != "\n" }
    let end =
      line.last == "{"
      ? try #require(document.range(of: "\n\(indent)}", range: line.endIndex..<document.endIndex)).upperBound
      : line.last == "," ? document.index(before: line.endIndex) : line.endIndex
    let lines = SchemaText(padding: "").lines(schema.value, "\"\(schema.key)\": ", indent: indent)
    document.replaceSubrange(
      document.index(after: start.lowerBound)..<end,
      with: lines.joined(separator: "\n")
    )
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
