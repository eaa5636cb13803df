import APNSimCore
import NIOCore
import NIOEmbedded
import Testing

@testable import APNSimServer

@Suite struct `A handshake that is held back` {
  @Test(arguments: [false, true])
  func `a connection that nobody told of the shutdown is closed when it begins`(isDraining: Bool) throws {
    let simulator = try Simulator(seed: 1, start: Timestamp(seconds: 1_338_508_800))
    let channel = EmbeddedChannel()
    let table = ConnectionTable(limit: 1)
    if isDraining { table.drain(channel.eventLoop.makePromise(of: Void.self)) }
    let wakeTimer = WakeTimer(simulator, on: channel.eventLoop)
    defer { wakeTimer.stop() }
    let timers = SimulatedTimers(simulator, wakeTimer)
    try channel.pipeline.syncOperations.addHandler(AcceptDelay(.seconds(60), timers, table))
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 2195), promise: nil)
    #expect(channel.isActive == !isDraining)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
