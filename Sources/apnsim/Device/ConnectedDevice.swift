import NIOCore
import Synchronization
import UnixSignals

/// A device on its connection: says its apps, then takes lines until something ends it.
struct ConnectedDevice: Sendable {
  /// The first line.
  var hello: [UInt8]
  /// How many notifications to wait for; nil waits for ever.
  var count: Int?
  /// How long to wait; nil is for ever.
  var timeout: Duration?

  enum Ending: Sendable, Equatable {
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
      Interruption.begin()
      try? await channel.close()
    }
  }

  /// Lines longer than this are no lines of the simulator.
  private static let longestLine = 4 * 1024 * 1024

  /// - Parameter each: called with every line, in order.
  func run(
    over connection: ProviderConnection,
    each: ([UInt8], DeviceLine) -> Void
  ) async throws -> (Ending, received: Int) {
    let channel = connection.channel.channel
    let stop = Stop()
    let timeout = timeout
    // Trapped before anything is sent, so that Ctrl-C always ends it politely.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await connection.channel.executeThenClose { inbound, outbound in
      await withTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        if let timeout {
          group.addTask {
            try? await Task.sleep(for: timeout)
            if !Task.isCancelled { await stop.end(.timedOut, channel) }
          }
        }
        group.addTask {
          await Output.untilUnread()
          if !Task.isCancelled { await stop.end(.interrupted, channel) }
        }
        group.addTask {
          for await _ in signals { await stop.end(.interrupted, channel) }
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
          if case .lost = ending { ending = .lost(ConnectFailure.words(error)) }
        }
        return (stop.reason ?? ending, received)
      }
    }
  }
}
