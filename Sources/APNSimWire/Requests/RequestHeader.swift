/// The header fields that mean something to the service.
@usableFromInline package enum RequestHeader: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case messageId
  case expiration
  case priority
  case topic
  case collapseId
  case pushType
  case channelId
  case requestId
  case authorization
  case host
  case method
  case path
  case authority

  package var name: StaticString {
    switch self {
    case .messageId: "apns-id"
    case .expiration: "apns-expiration"
    case .priority: "apns-priority"
    case .topic: "apns-topic"
    case .collapseId: "apns-collapse-id"
    case .pushType: "apns-push-type"
    case .channelId: "apns-channel-id"
    case .requestId: "apns-request-id"
    case .authorization: "authorization"
    case .host: "host"
    case .method: ":method"
    case .path: ":path"
    case .authority: ":authority"
    }
  }

  /// The header of this name. The length tells most of them apart; HTTP/2 has them in lower case (RFC 9113, 8.2).
  @inline(__always)
  package init?(_ name: UnsafeRawBufferPointer) {
    let candidate: RequestHeader
    switch name.count {
    case 4: candidate = .host
    case 5: candidate = .path
    case 7: candidate = name[0] == UInt8(ascii: ":") ? .method : .messageId
    case 10: candidate = name[0] == UInt8(ascii: ":") ? .authority : .topic
    case 13:
      candidate = name[0] == UInt8(ascii: "a") && name[1] == UInt8(ascii: "u") ? .authorization : .priority
    case 14: candidate = .pushType
    case 15:
      switch name[5] {
      case UInt8(ascii: "e"): candidate = .expiration
      case UInt8(ascii: "c"): candidate = .channelId
      default: candidate = .requestId
      }
    case 16: candidate = .collapseId
    default: return nil
    }
    guard name.isEqual(to: candidate.name) else { return nil }
    self = candidate
  }
}
