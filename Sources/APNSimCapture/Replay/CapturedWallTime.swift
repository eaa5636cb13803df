package import APNSimCore
import APNSimScenario

/// The wall time at which the lines of a capture were written.
///
/// The lines' times are the simulator's, whose clock may have been moved or stopped. A journal has the wall time beside
/// every command for which it matters.
package struct CapturedWallTime {
  /// Simulated minus wall time.
  private var offset = TimeSpan.zero
  /// The time of the last line.
  package private(set) var latest: Timestamp?

  package init() {}

  /// The wall time of the present line, which never goes back.
  package mutating func time(of entry: CaptureEntry, in reader: CaptureReader) -> Timestamp {
    var wall = entry.time + -offset
    if case .command(let json) = entry.kind {
      wall = reader.withLine { fields, _ in fields.time("wall") } ?? entry.time
      move(json, at: entry.time, wall)
    }
    let time = max(wall, latest ?? wall)
    latest = time
    return time
  }

  private mutating func move(_ json: [UInt8], at time: Timestamp, _ wall: Timestamp) {
    switch try? CommandReader.read(json) {
    case .advanceClock(let span): offset = time + span - wall
    case .setClock(let moment): offset = moment - wall
    case .resumeClock: offset = time - wall
    // The simulator's clock begins again with the wall's.
    case .reset, .replaceScenario: offset = .zero
    default: break
    }
  }
}
