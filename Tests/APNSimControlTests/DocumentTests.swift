import APNSimControl
import APNSimServer
import APNSimWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `The OpenAPI document` {
  private static var file: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/COpenAPIDocument/openapi.json")
  }

  @Test func `is the same in the program and in the repository`() throws {
    #expect(try Array(Data(contentsOf: Self.file)) == OpenAPIDocument.bytes)
  }

  @Test func `has the operations that there are, each once`() throws {
    let document = try JSONValue.parse(OpenAPIDocument.bytes)
    var documented: [String] = []
    for path in document.member("paths")?.objectValue ?? [] where path.value.member("servers") == nil {
      for operation in path.value.objectValue ?? [] {
        documented.append("\(operation.key.uppercased()) \(path.key)")
      }
    }
    let table = ControlServer.table
    #expect(documented.sorted() == table.operations.sorted())
    #expect(Set(documented).count == documented.count)
  }

  @Test func `is served`() async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, "/api/v1/openapi.json")
      #expect(reply.bytes == OpenAPIDocument.bytes)
      #expect(reply.headers["Content-Type"] == ["application/json"])
    }
  }
}
