import APNSimTestSupport
import APNSimWire
import ArgumentParser
import Testing

@testable import apnsim

@Suite(.mustNotHang) struct `Being ready` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `readiness is told of the sandbox that is meant`() async throws {
    let server = try await RunningServer.start(in: folder)
    let client = ControlClient(
      target: try ControlTarget.resolve(
        try ControlOptions.parse(["--endpoints-file", server.endpointsFile]),
        environment: [:]
      )
    )
    let sandbox = try await client.json(ControlRequest(.post, "sandboxes"))
    let port = try #require(sandbox["gateway"]?.intValue)
    let ready = try await server.run(["ready", "--sandbox", "s1", "--json"])
    #expect(ready.status == 0, "\(ready.errors)")
    let endpoints = try JSONValue.parse(Array(ready.output.utf8))
    #expect(endpoints["gateway"]?.intValue == port)
    #expect(endpoints["version"] == .number("1"))
    #expect(endpoints.member("id") == nil && endpoints.member("base") == nil)
    let whole = try await server.run(["ready", "--json"])
    #expect(try JSONValue.parse(Array(whole.output.utf8))["gateway"]?.intValue != port)

    let nowhere = try await server.run(["ready", "--sandbox", "s9"])
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.hasPrefix("apnsim: error: there is no sandbox \"s9\""))
    #expect(try await server.stop() == 0)
  }
}
