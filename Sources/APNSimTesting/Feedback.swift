import APNSimCore
import APNSimServer
import APNSimWire

extension APNSimulator {
  /// The tuples that the feedback service sends the provider of an app when it asks next.
  /// - Parameter topic: the app's bundle ID.
  public func feedback(topic: String = APNSimulator.topic) -> [Feedback] {
    // Everything that is due by now is in it.
    _ = server.clock
    return simulator.feedback(for: AppKey(topic: topic, environment: .production)).map {
      Feedback(token: Hex.encode($0.token), time: Int64($0.timestamp))
    }
  }

  /// A device token whose device no longer has the app.
  public struct Feedback: Hashable, Sendable {
    /// In hex digits.
    public let token: String
    /// When that was found out, in seconds since 1970 UTC.
    public let time: Int64
  }
}
