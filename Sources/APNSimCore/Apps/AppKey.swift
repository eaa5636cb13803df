package import APNSimWire

/// The app that a provider certificate speaks for: one topic (the app's bundle ID) in one environment.
///
/// Everything an app owns hangs on this key: its device tokens, its stored notifications, its feedback list.
public struct AppKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var topic: String
  public var environment: PushEnvironment

  public init(topic: String, environment: PushEnvironment) {
    self.topic = topic
    self.environment = environment
  }

  public static func == (left: AppKey, right: AppKey) -> Bool {
    left.environment == right.environment && left.topic.isExactly(right.topic)
  }

  public func hash(into hasher: inout Hasher) {
    topic.hashBytes(into: &hasher)
    environment.hash(into: &hasher)
  }

  /// True if a text can be a topic: as bundle IDs are, but for what they may be made of.
  package static func isTopic(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value >= 0x20 }
  }

  /// The demand of ``isTopic(_:)``, for errors.
  package static let expectedTopic = "a topic of 1 to 255 bytes without spaces, such as com.example.app"

  public var description: String { "\(topic) (\(environment.rawValue))" }

  public static func < (left: AppKey, right: AppKey) -> Bool {
    left.topic.isExactly(right.topic)
      ? left.environment < right.environment : ExactText(left.topic) < ExactText(right.topic)
  }
}

/// The two worlds of the service. Certificates, device tokens and feedback lists of one mean nothing in the
/// other ("the device token in the production environment and the device token in the development (sandbox)
/// environment are not the same value", Local and Push Notification Programming Guide, 2010–2011).
public enum PushEnvironment: String, Hashable, Sendable, CaseIterable, Comparable {
  case production
  case sandbox

  public static func < (left: PushEnvironment, right: PushEnvironment) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension AppKey: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("topic", "The app's bundle ID.") { $0.topic }
    $0.member("environment", "The environment.") { $0.environment }
  }
}

extension PushEnvironment: JSONWord {}

extension PushEnvironment: Kept {}

extension AppKey: KeptByMembers {
  static let members = Members(Self.init, \.topic, \.environment)
}
