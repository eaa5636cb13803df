import NIOCore
import Synchronization

/// A connected device: announces its apps, then reads lines until something ends the connection.
package struct ConnectedDevice: Sendable {
  /// The first line.
  private let hello: [UInt8]
  /// The number of notifications to wait for; nil waits for ever.
  private let count: Int?

  package init(hello: [UInt8], count: Int?) { (self.hello, self.count) = (hello, count) }

  package enum Ending: Sendable, Equatable {
    /// The wanted number of notifications came.
    case complete
    case timedOut
    case interrupted
    /// The simulator did not accept what the device said.
    case refused(expected: String, found: String)
    /// The simulator ended the connection with a reason.
    case closed(reason: String, detail: String)
    /// The connection ended without a word of the simulator's; the reason, as far as known.
    case lost(String?)
  }

  /// The reason the device ended the connection for, if it did.
  private final class Stop: Sendable {
    private let ending = Mutex<Ending?>(nil)

    var reason: Ending? { ending.withLock { $0 } }

    /// The first reason given counts.
    func end(_ reason: Ending, _ channel: any Channel) async {
      ending.withLock { $0 = $0 ?? reason }
      try? await channel.close()
    }
  }

  /// The longest line that is accepted, in bytes.
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
          // Any error while reading ends the connection.
          if case .lost = ending { ending = .lost(ProviderFailure.words(error)) }
        }
        return (stop.reason ?? ending, received)
      }
    }
  }
}
