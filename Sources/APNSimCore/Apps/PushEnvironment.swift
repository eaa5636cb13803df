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
