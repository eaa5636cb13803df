import APNSimCore

extension APNSimulator {
  /// The fate of a notification. Queries have it as `outcome:delivered`.
  public enum Outcome: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The device has it.
    case delivered
    /// The device is offline; it waits as the last one of its app.
    case stored
    /// It waited, and a newer one took its place.
    case replaced
    /// It was, or became, too old before the device came online.
    case expired
    /// The device is offline, and the expiry says not to store it.
    case notStored
    /// The device no longer has the app.
    case refused
    /// The device could not read the payload.
    case dropped
    /// It was answered with an error, or with the end of the connection.
    case rejected
    /// It was written after an error on its connection and never looked at: it has to be sent again.
    case discarded
    /// A request about channels, which was carried out.
    case performed

    public var description: String { rawValue }

    init(_ outcome: APNSimCore.Outcome) {
      self =
        switch outcome {
        case .delivered: .delivered
        case .stored: .stored
        case .replaced: .replaced
        case .expired: .expired
        case .notStored: .notStored
        case .refused: .refused
        case .dropped: .dropped
        case .rejected: .rejected
        case .discarded: .discarded
        case .performed: .performed
        }
    }
  }
}
