internal import NIOCore
internal import Synchronization

/// A device on its connection: says its apps, then takes lines until something ends it.
package struct ConnectedDevice: Sendable {
  /// The first line.
  private let hello: [UInt8]
  /// How many notifications to wait for; nil waits for ever.
  private let count: Int?

  package init(hello: [UInt8], count: Int?) { (self.hello, self.count) = (hello, count) }

  package enum Ending: Sendable, Equatable {
    /// As many notifications came as were wanted.
    case complete
    case timedOut
    case interrupted
    /// The simulator did not accept what the device said.
    case refused(expected: String, found: String)
    /// The simulator ended the connection with a reason.
    case closed(reason: String, detail: String)
    /// The connection is over without a word of the simulator's; why, as far as it is known.
    case lost(String?)
  }

  /// Who ended it from our side, if somebody did.
  private final class Stop: Sendable {
    private let ending = Mutex<Ending?>(nil)

    var reason: Ending? { ending.withLock { $0 } }

    /// The first reason counts.
    func end(_ reason: Ending, _ channel: any Channel) async {
      ending.withLock { $0 = $0 ?? reason }
      try? await channel.close()
    }
  }

  /// Lines longer than this are no lines of the simulator.
  private static let longestLine = 4 * 1024 * 1024

  /// - Parameters:
  ///   - stopped: returns when the device is to end the connection, with the reason; cancelled when it has ended.
  ///   - each: called with every line, in order.
  package func run(
    over connection: ProviderConnection,
    until stopped: @escaping @Sendable () async -> Ending,
    each: ([UInt8], DeviceLine) -> Void
  ) async throws -> (Ending, received: Int) {
    let channel = connection.channel.channel
    let stop = Stop()
    return try await connection.channel.executeThenClose { inbound, outbound in
      await withTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          let reason = await stopped()
          if !Task.isCancelled { await stop.end(reason, channel) }
        }
        var received = 0
        var ending = Ending.lost(nil)
        do {
          try await outbound.write(ByteBuffer(bytes: hello))
          var pending: [UInt8] = []
          reading: for try await buffer in inbound {
            pending += buffer.readableBytesView
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
              let bytes = Array(pending[..<end])
              pending.removeFirst(end + 1)
              let line = DeviceLine(bytes)
              each(bytes, line)
              switch line {
              case .notification: received += 1
              case .error(let expected, let found): ending = .refused(expected: expected, found: found)
              case .closed(let reason, let detail): ending = .closed(reason: reason, detail: detail)
              case .tokens, .other: break
              }
              if let count, received >= count {
                ending = .complete
                break reading
              }
            }
            if pending.count > Self.longestLine { break }
          }
        } catch {
          // However it broke, there is nothing more to read.
          if case .lost = ending { ending = .lost(ProviderFailure.words(error)) }
        }
        return (stop.reason ?? ending, received)
      }
    }
  }
}
