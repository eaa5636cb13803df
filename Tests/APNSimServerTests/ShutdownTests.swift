import APNSimCore
import APNSimServer
import Dispatch
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A shutdown while connections come in` {
  @Test func `those that the kernel has accepted are served`() async throws {
    let test = try await TestServer.start {
      $0.server.capacity.loops = 1
      // However slow the machine is, it is not time that keeps somebody out.
      $0.server.timing.drain = .seconds(120)
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
