package import APNSimCore

/// When the lines of a capture were written by the wall's clock.
///
/// The times in them are the simulator's, whose clock somebody may have moved or stopped: nobody waited for that. Its
/// journal has the wall's time beside every command that it matters for.
package struct CapturedWallTime {
  /// Simulated minus wall time.
  private var offset = TimeSpan.zero
  /// The time of the last line.
  package private(set) var latest: Timestamp?

  package init() {}

  /// The wall's time at a capture's present line, which never goes back.
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
    switch CommandReader.read(json) {
    case .advanceClock(let span): offset = time + span - wall
    case .setClock(let moment): offset = moment - wall
    case .resumeClock: offset = time - wall
    // The clock begins again, with the wall's.
    case .reset, .replaceScenario: offset = .zero
    default: break
    }
  }
}
