/// A check that is made of each notification, whatever interface it came in by: the neutral verdict.
///
/// The order of the cases says nothing. Each interface makes its checks in an order of its own and has its own answer
/// to each: for the binary one, ``BinaryInterface``.
package enum Check: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The command byte is understood.
  case command
  /// The bytes are a frame.
  case framing
  case tokenPresence
  case tokenSize
  case payloadPresence
  case payloadSize
  case topic
  case token
  case priority
  case payload
  /// A check of a request that frames have no counterpart of; the reason says which.
  case request
  /// A rule or a magic token decided.
  case rule
  /// All passed.
  case none

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
    case .request: "request"
    case .rule: "rule"
    case .none: "none"
    }
  }
}
