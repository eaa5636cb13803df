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

  /// Whether a text can be a topic: as bundle IDs are, but for what they may be made of.
  package static func isTopic(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value >= 0x20 }
  }

  /// What ``isTopic(_:)`` wants, for errors.
  package static let expectedTopic = "a topic of 1 to 255 bytes without spaces, such as com.example.app"

  public var description: String { "\(topic) (\(environment.rawValue))" }

  public static func < (left: AppKey, right: AppKey) -> Bool {
    (left.topic, left.environment) < (right.topic, right.environment)
  }
}
