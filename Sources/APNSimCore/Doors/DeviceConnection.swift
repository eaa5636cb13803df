/// One device's connection, without a network: takes the lines a device says and gives those it is told.
///
/// Used by one event loop only. What is to be sent waits in the simulator, in order and within bounds, and is taken
/// with `nextLines` as fast as the device reads; `EffectOutlet.deviceHasOutput` says when there is something after
/// there was nothing.
package final class DeviceConnection {
  package let id: ConnectionID
  private let simulator: Simulator
  private let session: DeviceSession
  /// A line whose end has not come.
  private var pending: [UInt8] = []

  init(simulator: Simulator, session: DeviceSession) {
    id = session.id
    self.simulator = simulator
    self.session = session
  }

  /// Takes bytes as they come; each line is acted on once its end is there. The caller sends what `nextLines` gives.
  package func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    let limit = simulator.configuration.limits.deviceLine
    while pending.count <= limit, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      rest = rest[(end + 1)...]
      guard pending.count <= limit else { break }
      lines.append(pending)
      pending = []
    }
    if pending.count <= limit { pending += rest.prefix(limit + 1) }
    let isTooLong = pending.count > limit
    let start = isTooLong ? Array(pending.prefix(256)) : []
    if isTooLong { pending = [] }
    simulator.submit(DeviceLines(session: session, lines: lines, endless: isTooLong ? start : nil), at: now)
  }

  /// Takes what is to be sent next: whole lines of about so many bytes.
  package func nextLines(maximumBytes: Int = 16_384, at now: Timestamp) -> Chunk {
    let input = LinesTaking(session: session, most: .bytes(maximumBytes))
    let (outputs, isDrained, isLast) = simulator.submit(input, at: now)
    return Chunk(bytes: outputs.flatMap(\.line), isDrained: isDrained, isLast: isLast)
  }

  /// Takes as many lines as a journal says were taken, unread.
  package func skipLines(_ count: Int, at now: Timestamp) {
    simulator.submit(LinesTaking(session: session, most: .lines(count)), at: now)
  }

  package struct Chunk: Hashable, Sendable {
    package var bytes: [UInt8]
    /// True if nothing more waits for now.
    package var isDrained: Bool
    /// True if nothing more will come: the connection is to be closed.
    package var isLast: Bool
  }

  /// True if the simulator ends the connection.
  package var isEnding: Bool { simulator.withWorld { _ in session.isEnding } }

  /// True if it holds its device online.
  package var isOnline: Bool { simulator.withWorld { _ in session.device != nil } }

  /// The device has connected and then said nothing for too long; nothing happens when it has.
  package func silent(for seconds: Int64, at now: Timestamp) {
    simulator.submit(DeviceSilence(session: session, seconds: seconds), at: now)
  }

  /// The TCP connection is gone; called once. The device is offline then, unless a newer connection has it.
  package func closed(_ how: ClosingReason, at now: Timestamp) {
    simulator.submit(DeviceDisconnection(session: session, reason: how), at: now)
  }
}

extension Simulator {
  /// A device has connected, with a certificate that says who it is.
  package func openDevice(_ opening: DeviceOpening, at now: Timestamp) -> DeviceConnection {
    DeviceConnection(simulator: self, session: submit(DeviceArrival(opening: opening), at: now))
  }
}
