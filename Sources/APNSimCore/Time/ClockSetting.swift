/// Which clock drives expiry, storage, feedback timestamps, timelines and delays.
public enum ClockSetting: Hashable, Sendable {
  /// The machine's time, handed in with every input.
  case real
  /// Stands still until it is moved; starts at `start`, or at the time of start when nil.
  case virtual(start: Timestamp?)
}
