import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimServer
import APNSimState
import APNSimTestSupport
import APNSimWire
import Logging
import NIOHTTP1
import Testing

@Suite struct `A control API of a simulator with a durable state` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Opens the state, with a seed that decides whether it goes on.
  private func open(_ durable: DurableState) throws -> (keeper: StateKeeper, simulator: Simulator) {
    var identity = StateIdentity()
    identity.add("seed", "1")
    let opened = try StateKeeper.open(
      in: try StateDirectory(folder.file("state")),
      identity: identity,
      StateBeginning(
        configuration: Configuration(),
        scenario: Scenario(),
        seed: 1,
        start: TestControl.start
      ),
      texts: WrittenTexts(),
      process: StateProcess(progress: durable.progress)
    )
    return (opened.keeper, opened.simulator)
  }

  /// A control API that is ahead of its simulator, and then beside it.
  private func run(
    ahead: (TestClient) async throws -> Void = { _ in },
    _ body: (TestClient, SimulatorServer, StateKeeper) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.listening.ephemeral = true
    let durable = DurableState()
    let redaction = CaptureRedaction(TokenPseudonyms { $0 }, isUsual: false)
    let control = ControlServer(configuration, redaction: redaction, durable: durable)
    let url = try await control.startAhead()
    let client = TestClient(port: url.split(separator: ":").last.flatMap { Int($0) } ?? 0)
    try await ahead(client)
    let (keeper, simulator) = try open(durable)
    durable.isKept(by: keeper)
    let isRestored = keeper.status.restored != nil
    let server = SimulatorServer(
      configuration: configuration,
      simulator: simulator,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      ServerAdditions(
        pki: try TestControl.certificates(),
        companion: control,
        durable: DurableBeginning(isRestored: isRestored, seed: 1, continuesRecording: false) {
          keeper.start()
        }
      )
    )
    do {
      #expect(try await server.start().control == url)
      try await body(client, server, keeper)
      await server.stop()
      keeper.close()
    } catch {
      await server.stop()
      keeper.close()
      throw error
    }
  }

  @Test func `the control API is there before the simulator, and says how far the state has been restored`()
    async throws
  {
    try await run { http in
      let ready = try await http(.GET, "/readyz")
      #expect(ready.status == 503)
      #expect(
        ready.text
          == #"{"ok":false,"missing":["state"],"state":{"text":"the state is being restored: 0 inputs, 0 of 0 MiB","#
          + #""inputs":0,"bytes":0,"byteCount":0}}"# + "\n"
      )
      #expect(try await http(.GET, "/livez").text == #"{"ok":true,"missing":[]}"# + "\n")
      let devices = try await http(.GET, "/api/v1/devices")
      #expect(devices.status == 503 && devices.text.contains("the state is being restored"))
      #expect(try await http(.GET, "/").status == 200)
    } _: { http, server, _ in
      let ready = try await http(.GET, "/readyz")
      #expect(ready.status == 200 && ready["missing"] == .array([]) && ready["state"] == nil)
      #expect(ready["endpoints.gateway"]?.intValue == server.endpoints?.gatewayPort)
    }
  }

  @Test func `the control API shows the state, and takes a snapshot of it`() async throws {
    try await run { http, _, _ in
      var state = try await http(.GET, "/api/v1/state")
      #expect(state.status == 200 && state["directory"] == .string(folder.file("state")))
      #expect(
        state["suspended"] == .bool(false) && state["restored"] == nil && state["errors"]?.intValue == 0
      )
      let before = try #require(state["position"]?.intValue)

      let body = #"{"apps":["com.example.app"],"online":false}"#
      #expect(try await http(.PUT, "/api/v1/devices/bob", body).status < 300)
      state = try await http(.GET, "/api/v1/state")
      #expect(state["position"]?.intValue == before + 1)
      #expect(try #require(state["log.bytes"]?.intValue) > body.utf8.count)

      let snapshot = try await http(.POST, "/api/v1/state/snapshot")
      #expect(snapshot.status == 200 && snapshot["position"]?.intValue == before + 1)
      state = try await http(.GET, "/api/v1/state")
      #expect(state.json.member("snapshot") == snapshot.json && state["log.bytes"]?.intValue == 0)
    }
    try await run { http, _, _ in
      let state = try await http(.GET, "/api/v1/state")
      #expect(state["restored.inputs"]?.intValue == 0 && state["restored.cutBytes"]?.intValue == 0)
      #expect(try await http(.GET, "/api/v1/devices/bob").status == 200)
    }
  }

  @Test func `the control API counts the state in metrics`() async throws {
    try await run { http, _, keeper in
      _ = try await keeper.snapshot()
      let metrics = try await http(.GET, "/api/v1/metrics").text
      for name in [
        "log_bytes 0\n", "snapshot_seconds ", "snapshot_pause_seconds ", "snapshot_age_seconds ",
        "restored_inputs 0\n", "errors_total 0\n",
      ] { #expect(metrics.contains("\napnsim_state_\(name)"), "\(name)") }
    }
  }

  @Test func `the control API answers 503 to what would change something while nothing can be kept`()
    async throws
  {
    try await run { http, server, _ in
      server.simulator.suspend()
      let ready = try await http(.GET, "/readyz")
      #expect(ready.status == 503 && ready["missing"] == .array([.string("state")]))
      #expect(ready["state.text"]?.stringValue?.hasPrefix("nothing can be kept") == true)
      #expect(try await http(.GET, "/api/v1/state")["suspended"] == .bool(true))
      let reset = try await http(.POST, "/api/v1/reset")
      #expect(reset.status == 503 && reset["title"] == .string("Suspended"))
      #expect(try await http(.GET, "/api/v1/devices").status == 200)
      server.simulator.resume()
      #expect(try await http(.GET, "/readyz").status == 200)
      #expect(try await http(.POST, "/api/v1/reset").status == 204)
    }
  }

  @Test func `the control API has no state for a simulator without one, nor for a sandbox`() async throws {
    try await TestControl.run { test in
      for (method, path) in [(HTTPMethod.GET, "/api/v1/state"), (.POST, "/api/v1/state/snapshot")] {
        let reply = try await test.http(method, path)
        #expect(reply.status == 404 && reply.text.contains("apnsim serve --state DIR keeps"), "\(reply.text)")
      }
      #expect(!(try await test.http(.GET, "/api/v1/metrics").text.contains("apnsim_state")))
    }
    try await run { http, _, _ in
      #expect(try await http(.POST, "/api/v1/sandboxes").status < 300)
      #expect(try await http(.GET, "/api/v1/sandboxes/s1/state").status == 404)
      let metrics = try await http(.GET, "/api/v1/sandboxes/s1/metrics").text
      #expect(!metrics.contains("apnsim_state"))
    }
  }
}
