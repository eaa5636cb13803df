/// The bounds of what the core keeps: nothing in it can grow without one. Those that nobody sets stand with their types.
public struct Limits: Hashable, Sendable {
  /// Notifications kept in the history (`--keep`), with the deliveries of their time, as many other events and a tenth
  /// as many closed connections.
  public var keep: Int {
    get { history }
    set { (history, events, connections) = (newValue, newValue, max(1, newValue / 10)) }
  }
  /// Notifications kept in the history, and the deliveries of their time; the oldest make room.
  public var history = 100_000
  /// Bytes of frames the history may hold, whatever their number.
  public var historyBytes = 256 * 1024 * 1024
  /// Events other than notifications kept in the history.
  public var events = 100_000
  /// Bytes that these events carry (tuples that were read, bytes that were no notifications).
  public var eventBytes = 64 * 1024 * 1024
  /// Notifications under way to devices whose tokens let them take their time (`1a`), each with its frame; past it a
  /// further one arrives at once.
  public var underway = 1_000_000
  /// Devices, those made on first sight included; past it a new token is answered with status 1.
  public var devices = 4_000_000
  /// Removed devices, and apps on them, that are remembered while the history may tell of them.
  public var removedDevices: Int { max(10_000, history) }
  /// Tokens that were replaced and are remembered as dead (`--dead-tokens`); past it the oldest is forgotten.
  public var deadTokens = 1_000_000
  /// Apps (topic and environment); past it a new one is refused like an unknown topic.
  public var apps = 65_000
  /// Tuples waiting in one app's feedback list; past it the oldest make room. As many scripted ones may be to come,
  /// of all apps together; past it a further one is refused.
  public var feedbackTuples = 4_000_000
  /// Identifiers a connection's resend report lists one by one; past it they are counted only. As many of an app's
  /// are followed until they come again, the newest.
  public var resendIdentifiers = 100_000
  /// The same for all connections together; past half of it the oldest closed ones are forgotten.
  public var discards = 1_000_000
  /// Closed connections the history remembers.
  public var connections = 10_000
  /// Broadcast channels of one app in one environment (DOC); past it a further one is refused.
  public var channels = 10_000
  /// Bytes of one line that a device says.
  public var deviceLine = 65_536
  /// Apps on a device that connects.
  public var deviceApps = 256
  /// Bytes that wait for a connected device to read them; past it the device is taken for gone.
  public var deviceQueueBytes = 1_048_576

  public init() {}
}
