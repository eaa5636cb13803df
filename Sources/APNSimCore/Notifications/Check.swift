/// A check the gateway makes of each notification, in the order it makes them.
///
/// The guide gives no order but for one observed fact (an empty token and an empty payload are answered 2); the rest
/// is this simulator's, and the same for all commands: a notification with several faults always gets the status of
/// the first.
package enum Check: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable, Comparable {
  case command
  case framing
  case tokenPresence
  case tokenSize
  case payloadPresence
  case payloadSize
  case topic
  case token
  case priority
  case payload
  /// A rule or a magic token decided.
  case rule
  /// All passed.
  case none

  package static func < (left: Check, right: Check) -> Bool { left.rawValue < right.rawValue }

  /// Its name in an explain list.
  package var name: String {
    switch self {
    case .command: "command"
    case .framing: "framing"
    case .tokenPresence: "tokenPresence"
    case .tokenSize: "tokenSize"
    case .payloadPresence: "payloadPresence"
    case .payloadSize: "payloadSize"
    case .topic: "topic"
    case .token: "token"
    case .priority: "priority"
    case .payload: "payload"
    case .rule: "rule"
    case .none: "none"
    }
  }
}
