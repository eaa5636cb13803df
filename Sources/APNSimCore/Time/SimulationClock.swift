/// The clock that drives expiry, storage, feedback timestamps, timelines and delays.
public enum ClockSetting: Hashable, Sendable {
  /// The machine's time, handed in with every input.
  case real
  /// Stands still until it is moved; starts at `start`, or at the time of start when nil.
  case virtual(start: Timestamp?)
}

/// The one clock of a simulator: it tells the time of every event and never goes back by itself.
///
/// Real and virtual time differ only in who moves it: the wall time that comes with every input, or commands.
/// A real clock can be moved as well; it then runs on from there, beside the wall.
struct SimulationClock {
  private(set) var now: Timestamp
  let isVirtual: Bool
  private var isFrozen: Bool
  /// Simulated minus wall time.
  private var offset = TimeSpan.zero
  private(set) var wall: Timestamp

  var isRunning: Bool { !isFrozen }

  /// The time that the clock would show at a wall time; the caller moves it there through what is due before.
  mutating func target(wall moment: Timestamp) -> Timestamp {
    wall = max(wall, moment)
    return isFrozen ? now : max(now, wall + offset)
  }

  /// Moves to a moment that lies ahead; an earlier one changes nothing.
  mutating func reach(_ moment: Timestamp) { now = max(now, moment) }

  /// Jumps, backwards too: what `clock set` does.
  mutating func set(_ moment: Timestamp) {
    now = moment
    offset = moment - wall
  }

  mutating func freeze() { isFrozen = true }

  mutating func resume() {
    isFrozen = false
    offset = now - wall
  }

  /// After an advance of a running clock: it goes on from where it is.
  mutating func anchor() { offset = now - wall }

  /// The moment that a real clock shows at a wall time which is earlier than the one that was known; nil for any other.
  func moment(setBackTo moment: Timestamp) -> Timestamp? {
    moment < wall && !isVirtual && !isFrozen ? moment + offset : nil
  }

  /// Takes the wall's word that it is earlier than it was known to be: a running clock goes on from where it is, beside
  /// it. A later wall time changes nothing by itself.
  mutating func goOn(from moment: Timestamp) {
    guard moment < wall else { return }
    wall = moment
    if !isFrozen { offset = now - wall }
  }

  /// The wall time at which the clock will show `moment`; nil for one that does not come while it stands still.
  func wallTime(of moment: Timestamp) -> Timestamp? {
    if moment <= now { return wall }
    return isFrozen
      ? nil : moment + -offset
  }
}

extension SimulationClock {
  init(_ setting: ClockSetting, start: Timestamp) {
    wall = start
    switch setting {
    case .real:
      (now, isVirtual, isFrozen) = (start, false, false)
    case .virtual(let chosen):
      (now, isVirtual, isFrozen) = (chosen ?? start, true, true)
    }
  }
}

extension SimulationClock: KeptByMembers {
  static let members = Members(Self.init, \.now, \.isVirtual, \.isFrozen, \.offset, \.wall)
}
