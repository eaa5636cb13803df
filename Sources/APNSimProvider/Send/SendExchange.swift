import APNSimWire
import NIOCore
import Synchronization

/// Writes notifications to one connection and reads from it at the same time, as a good provider does.
///
/// The answer to a bad notification comes while later ones are being written: whoever reads only afterwards
/// has written far too many, and may have lost the answer to a reset. Once nothing has come for a while it
/// ends its own direction and waits for the gateway's end, so that what a slow gateway had not read yet is
/// answered for as well.
package struct SendExchange: Sendable {
  private let plan: NotificationPlan
  /// Notifications a second; nil: as fast as the gateway takes them.
  private let rate: Double?
  /// The longest wait for an answer after the last write.
  private let patience: Duration
  /// Called with the number written so far.
  private let progress: @Sendable (Int) -> Void

  package init(
    plan: NotificationPlan,
    rate: Double? = nil,
    patience: Duration,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.plan, self.rate, self.patience, self.progress) = (plan, rate, patience, progress)
  }

  private enum Event {
    case wrote
    case heard(SendEnding)
    case waited
    case stalled
    case done
  }

  /// The state that the tasks of an exchange share.
  private final class Shared: Sendable {
    struct State {
      var written = 0
      var bytes = 0
      var lastWrite: ContinuousClock.Instant?
      var failure: String?
    }
    let start = ContinuousClock.now
    let state = Mutex(State())
  }

  package func run(over connection: ProviderConnection) async throws -> SendReport {
    let shared = Shared()
    let result = try await connection.channel.executeThenClose { inbound, outbound in
      await withTaskGroup(of: Event.self) { group in
        group.addTask { await write(to: outbound, shared) }
        group.addTask { .heard(await Self.listen(to: inbound)) }
        group.addTask { await watch(shared) }
        var ending: SendEnding?
        var hasEnded = false
        while ending == nil, let event = await group.next() {
          switch event {
          case .wrote: group.addTask { await pause(patience) }
          case .heard(.closed) where hasEnded: ending = .silence
          case .heard(let heard): ending = heard
          case .waited where hasEnded: ending = .silence
          case .waited:
            hasEnded = true
            outbound.finish()
            group.addTask { await pause(closingPatience(shared)) }
          case .stalled: ending = .stalled
          case .done: break
          }
        }
        let answering = ContinuousClock.now - shared.start
        group.cancelAll()
        return (ending: ending ?? .silence, answering: answering)
      }
    }
    let state = shared.state.withLock { $0 }
    let heardNothing = result.ending == .silence || result.ending == .stalled
    var ending = result.ending
    if ending == .silence, let failure = state.failure { ending = .broken(failure) }
    return SendReport(
      plan: plan,
      written: state.written,
      bytes: state.bytes,
      writing: (state.lastWrite ?? shared.start) - shared.start,
      answering: heardNothing ? nil : result.answering,
      ending: ending
    )
  }

  /// Writes in pieces that each fit one TLS record, when they are due.
  private func write(to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ shared: Shared) async -> Event
  {
    var index = 0
    do {
      while index < plan.count, !Task.isCancelled {
        var piece: [UInt8] = []
        let due = dueCount(after: ContinuousClock.now - shared.start)
        while index < min(due, plan.count), piece.count < Self.pieceSize {
          plan.frame(at: index).encode(into: &piece)
          index += 1
        }
        guard !piece.isEmpty else {
          try await Task.sleep(for: .milliseconds(2))
          continue
        }
        try await outbound.write(ByteBuffer(bytes: piece))
        let (written, count) = (index, piece.count)
        shared.state.withLock {
          $0.written = written
          $0.bytes += count
          $0.lastWrite = .now
        }
        progress(written)
      }
    } catch is CancellationError {
      return .wrote
    } catch {
      shared.state.withLock { $0.failure = ProviderFailure.words(error) }
    }
    return .wrote
  }

  /// The number of notifications that may have been written by now.
  private func dueCount(after elapsed: Duration) -> Int {
    guard let rate else { return plan.count }
    let due = elapsed / .seconds(1) * rate + 1
    return due < Double(plan.count) ? Int(due) : plan.count
  }

  /// The time the gateway may take to read the rest and close: as long as everything has taken so far,
  /// plus what a slow one needs for so many notifications.
  private func closingPatience(_ shared: Shared) -> Duration {
    let written = shared.state.withLock { $0.written }
    return patience + (ContinuousClock.now - shared.start) + .milliseconds(written / 2)
  }

  private func pause(_ span: Duration) async -> Event {
    try? await Task.sleep(for: span)
    return .waited
  }

  /// Notices a gateway that has taken nothing for long although there was something to write.
  private func watch(_ shared: Shared) async -> Event {
    var (last, lastDue) = (-1, 0)
    while !Task.isCancelled {
      try? await Task.sleep(for: max(patience, Self.stallLimit))
      let written = shared.state.withLock { $0.written }
      if written == last, written < lastDue { return .stalled }
      if written == plan.count { return .done }
      (last, lastDue) = (written, dueCount(after: ContinuousClock.now - shared.start))
    }
    return .done
  }

  /// Waits for the six bytes of an error response, or for the end.
  private static func listen(to inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async -> SendEnding {
    var received: [UInt8] = []
    do {
      for try await buffer in inbound {
        received += buffer.readableBytesView.prefix(64)
        guard received.count >= ErrorResponse.byteCount else { continue }
        guard let response = ErrorResponse(bytes: received) else { return .unintelligible(received) }
        return .answered(response)
      }
    } catch {
      return received.isEmpty ? .broken(ProviderFailure.words(error)) : .unintelligible(received)
    }
    return received.isEmpty ? .closed : .unintelligible(received)
  }

  /// The size of a write, which fits one TLS record together with the largest frame that `send` writes.
  private static let pieceSize = 8192
  private static let stallLimit = Duration.seconds(10)
}
