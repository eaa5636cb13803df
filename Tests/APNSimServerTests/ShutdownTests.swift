import APNSimCore
import APNSimServer
import APNSimTestSupport
import Dispatch
import Synchronization
import Testing

@Suite(.mustNotHang) struct `A shutdown` {
  @Test func `a shutdown serves the connections that the kernel has accepted`() async throws {
    let test = try await TestServer.start {
      $0.server.capacity.loops = 1
      // However slow the machine is, it is not time that keeps somebody out.
      $0.server.timing.drain = .seconds(120)
      $0.server.timing.lateHandshake = .seconds(120)
    }
    // The simulator is held up, and with it the loop that accepts.
    let obstacle = Obstacle()
    test.simulator.add(obstacle)
    obstacle.begin()
    DispatchQueue.global().async { try? test.server.perform(.clearFeedback(nil)) }
    await test.journal.wait(for: "feedbackCleared")
    var peers: [RawPeer] = []
    for _ in 0..<20 {
      let peer = try await RawPeer.connect(test.endpoints.gatewayPort)
      try await peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
      peers.append(peer)
    }
    async let stopped: Void = test.server.stop()
    obstacle.end()
    await stopped
    for peer in peers { await peer.readToEnd() }
    #expect(test.journal.events("connectionRefused").count == 20)
  }

  @Test func `a shutdown ends what is beside the simulator while its connections are drained`() async throws {
    let companion = Companion()
    let test = try await TestServer.start {
      $0.server.timing.drain = .seconds(1800)
      $0.companion = companion
    }
    let provider = try await test.gateway()
    async let stopped: Void = test.server.stop()
    // Only then the connection ends that the simulator waits for.
    await companion.finished()
    await provider.close()
    await stopped
    #expect(companion.hasStopped)
  }

  private final class Companion: ServerCompanion {
    private let finishing = AsyncStream<Void>.makeStream()
    private let isStopped = Mutex(false)

    var hasStopped: Bool { isStopped.withLock { $0 } }

    func start(beside server: SimulatorServer) async throws -> String { "http://127.0.0.1:1" }

    func finish() async { finishing.continuation.finish() }

    func finished() async { for await _ in finishing.stream {} }

    func stop() async { isStopped.withLock { $0 = true } }
  }

  /// A recorder that does not return until it is told to.
  private final class Obstacle: JournalRecorder {
    private let isThere = Mutex(false)
    private let way = DispatchSemaphore(value: 0)

    func begin() { isThere.withLock { $0 = true } }

    func end() {
      isThere.withLock { $0 = false }
      way.signal()
    }

    func record(_ lines: UnsafeRawBufferPointer) {
      if isThere.withLock({ $0 }) { way.wait() }
    }
  }
}
