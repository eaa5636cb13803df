import APNSimCore
import CCallgrind

/// The course of a row: what comes before, and what is counted.
final class Course {
  private let row: Row
  private let load: Load
  private let situation: Situation
  private var now: Timestamp

  init(_ row: Row) throws {
    self.row = row
    load = Load(row)
    situation = try Situation(row)
    now = Timestamp(seconds: row.start)
  }

  func run() throws {
    // Devices that come twice are those that have been met already; the others are known.
    let devices = load.pushes(0..<(row.failure == nil || row.repeats ? row.devices : 2 * row.devices))
    try onConnection { try send(devices, on: $0) }
    if let failure = row.failure { try fail(failure, devices) }
    let again = devices.suffix(row.devices)
    try onConnection { connection in
      let pushes = (0..<row.warm + row.count).map { again[again.startIndex + $0 % again.count] }
      try send(Array(pushes.prefix(row.warm)), on: connection)
      let reads = try reads(of: Array(pushes.dropFirst(row.warm)), on: connection)
      apnsim_begin_counting()
      for read in reads { take(read, on: connection) }
      apnsim_end_counting()
    }
    guard situation.hasAccepted(row.count) else { throw Mistake("a notification was not accepted") }
  }

  /// A connection meets an error in the middle of what it sends.
  private func fail(_ failure: Row.Failure, _ devices: [Load.Push]) throws {
    try onConnection { connection in
      try send(Array(devices[..<failure.accepted]), on: connection)
      let error = Load.Push(number: devices.count, token: row.failingToken)
      try send([error] + devices[failure.accepted..<failure.accepted + failure.lost], on: connection)
    }
  }

  private func onConnection(_ body: (any ProviderConnection) throws -> Void) throws {
    let connection: any ProviderConnection =
      switch row.interface {
      case .frames: try FrameProvider(situation.simulator, load, at: now)
      case .requests: try RequestProvider(situation.simulator, load, at: now)
      }
    try body(connection)
    connection.close(at: now)
  }

  private func send(_ pushes: [Load.Push], on connection: any ProviderConnection) throws {
    for read in try reads(of: pushes, on: connection) { take(read, on: connection) }
  }

  private func reads(of pushes: [Load.Push], on connection: any ProviderConnection) throws -> [[UInt8]] {
    try stride(from: 0, to: pushes.count, by: row.perRead).map { start in
      try connection.read(of: Array(pushes[start..<min(start + row.perRead, pushes.count)]))
    }
  }

  private func take(_ read: [UInt8], on connection: any ProviderConnection) {
    now = now + .milliseconds(10)
    connection.send(read, at: now)
    situation.follow()
  }
}
