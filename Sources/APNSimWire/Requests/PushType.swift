/// The purpose of a push, as `apns-push-type` names it.
///
/// Source: "Sending notification requests to APNs".
package enum PushType: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case alert
  case background
  case voip
  case complication
  case fileprovider
  case mdm
  case location
  case liveactivity
  case pushtotalk
  case widgets
  case controls

  /// The credentials that prove a provider's right to send it.
  package enum Credentials: BitwiseCopyable, Hashable, Sendable {
    case both, token, certificate
  }

  /// A row of Apple's table of push types.
  package struct Row: Sendable {
    package let name: StaticString
    /// The suffix of the topic after the bundle ID.
    package let topicSuffix: StaticString
    /// The values of `apns-priority` that it takes, as a set of bits: bit 10, 5 and 1.
    package let priorities: UInt16
    /// The most bytes that a body may have.
    package let payloadLimit: Int
    /// The credentials that it is sent with in practice; a topic that a certificate does not list is refused for that reason.
    package let credentials: Credentials
    /// Its body has one member `mdm` and no `aps`.
    package let isMDM: Bool
    /// Its body needs no `aps`: the system shows nothing of it by itself, and the app gets it as it is.
    package let isForAppAlone: Bool

    init(
      _ name: StaticString,
      _ suffix: StaticString,
      priorities: [UInt16] = [10, 5, 1],
      limit: Int = 4096,
      _ credentials: Credentials = .both,
      isMDM: Bool = false,
      isForAppAlone: Bool = false
    ) {
      self.name = name
      topicSuffix = suffix
      self.priorities = priorities.reduce(0) { $0 | 1 << $1 }
      payloadLimit = limit
      self.credentials = credentials
      self.isMDM = isMDM
      self.isForAppAlone = isForAppAlone
    }
  }

  /// The rows in the order of the cases. Priorities: background is never 10 (DOC), an activity is 5 or 10 (DOC); the
  /// others take all three (INF).
  package static let rows: [Row] = [
    Row("alert", ""),
    Row("background", "", priorities: [5, 1]),
    Row("voip", ".voip", limit: 5120, isForAppAlone: true),
    Row("complication", ".complication", isForAppAlone: true),
    Row("fileprovider", ".pushkit.fileprovider", isForAppAlone: true),
    Row("mdm", "", .certificate, isMDM: true, isForAppAlone: true),
    Row("location", ".location-query", .token, isForAppAlone: true),
    Row("liveactivity", ".push-type.liveactivity", priorities: [10, 5], .token),
    Row("pushtotalk", ".voip-ptt", isForAppAlone: true),
    Row("widgets", ".push-type.widgets", .token),
    Row("controls", ".push-type.controls", .token),
  ]

  package var row: Row { Self.rows[Int(rawValue)] }
  package var name: String { "\(row.name)" }

  /// The values of `apns-priority` that a broadcast takes, as a set of bits (DOC).
  package static let broadcastPriorities: UInt16 = 1 << 10 | 1 << 5 | 1 << 1
  /// The most bytes of a broadcast's body.
  package static let broadcastPayloadLimit = 5120

  /// The type of this name.
  /// - Parameter ignoringCase: broadcasts write `liveactivity` and `LiveActivity`; pushes are exact.
  package init?(_ name: UnsafeRawBufferPointer, ignoringCase: Bool = false) {
    for type in Self.allCases where name.isEqual(to: type.row.name, ignoringCase: ignoringCase) {
      self = type
      return
    }
    return nil
  }

  /// The type whose suffix ends the topic; nil for a bundle ID alone.
  package init?(suffixOf topic: UnsafeRawBufferPointer) {
    for type in Self.allCases where type.row.topicSuffix.utf8CodeUnitCount > 0 {
      if topic.hasSuffix(type.row.topicSuffix) {
        self = type
        return
      }
    }
    return nil
  }
}
