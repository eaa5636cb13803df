/// What a provider certificate speaks for: one topic (the app's bundle ID) in one environment.
///
/// Everything an app owns hangs on this key: its device tokens, its stored notifications, its feedback list.
public struct AppKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var topic: String
  public var environment: PushEnvironment

  public init(topic: String, environment: PushEnvironment) {
    self.topic = topic
    self.environment = environment
  }

  public var description: String { "\(topic) (\(environment.rawValue))" }

  public static func < (left: AppKey, right: AppKey) -> Bool {
    (left.topic, left.environment) < (right.topic, right.environment)
  }
}
