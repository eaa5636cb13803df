/// A header name as a number. Names that no request is judged by are ``other`` and travel as text.
package enum HeaderName: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  case other
  case method, scheme, path, authority, status
  case authorization, contentLength, host, te
  case apnsID, apnsTopic, apnsPushType, apnsPriority, apnsExpiration, apnsCollapseID
  case apnsChannelID, apnsRequestID, apnsUniqueID
  case contentType, userAgent, accept, acceptEncoding
  case connection, keepAlive, proxyConnection, transferEncoding, upgrade

  /// The name as it is written; empty for ``other``.
  package var text: StaticString {
    switch self {
    case .other: ""
    case .method: ":method"
    case .scheme: ":scheme"
    case .path: ":path"
    case .authority: ":authority"
    case .status: ":status"
    case .authorization: "authorization"
    case .contentLength: "content-length"
    case .host: "host"
    case .te: "te"
    case .apnsID: "apns-id"
    case .apnsTopic: "apns-topic"
    case .apnsPushType: "apns-push-type"
    case .apnsPriority: "apns-priority"
    case .apnsExpiration: "apns-expiration"
    case .apnsCollapseID: "apns-collapse-id"
    case .apnsChannelID: "apns-channel-id"
    case .apnsRequestID: "apns-request-id"
    case .apnsUniqueID: "apns-unique-id"
    case .contentType: "content-type"
    case .userAgent: "user-agent"
    case .accept: "accept"
    case .acceptEncoding: "accept-encoding"
    case .connection: "connection"
    case .keepAlive: "keep-alive"
    case .proxyConnection: "proxy-connection"
    case .transferEncoding: "transfer-encoding"
    case .upgrade: "upgrade"
    }
  }

  /// The same as bytes, which last.
  var bytes: UnsafeRawBufferPointer {
    let text = text
    return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Pseudo-headers (RFC 9113 section 8.3) come before all others.
  package var isPseudo: Bool { rawValue >= Self.method.rawValue && rawValue <= Self.status.rawValue }

  /// True for a header whose value counts without white space at its ends, where that is taken: `authorization`, `apns-…`.
  func mayBeSurrounded(_ name: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .authorization: true
    case .other: name.count > 5 && UnsafeRawBufferPointer(rebasing: name[..<5]).isEqual(to: "apns-")
    default: rawValue >= Self.apnsID.rawValue && rawValue <= Self.apnsUniqueID.rawValue
    }
  }

  /// Headers of an HTTP/1.1 connection, which HTTP/2 forbids (RFC 9113 section 8.2.2).
  var isConnectionSpecific: Bool { rawValue >= Self.connection.rawValue }

  /// The number of a name.
  init(_ name: UnsafeRawBufferPointer) {
    let candidate: Self? =
      switch name.count {
      case 2: .te
      case 4: .host
      case 5: .path
      case 6: name[0] == 0x61 ? .accept : nil
      case 7:
        switch name[1] {
        case 0x6D: .method
        case 0x73: name[2] == 0x63 ? .scheme : .status
        case 0x70: name[0] == 0x61 ? .apnsID : .upgrade
        default: nil
        }
      case 10:
        switch name[0] {
        case 0x3A: .authority
        case 0x61: .apnsTopic
        case 0x75: .userAgent
        case 0x63: .connection
        case 0x6B: .keepAlive
        default: nil
        }
      case 12: .contentType
      case 13: name[1] == 0x70 ? .apnsPriority : .authorization
      case 14:
        switch name[5] {
        case 0x70: .apnsPushType
        case 0x75: .apnsUniqueID
        case 0x6E: .contentLength
        default: nil
        }
      case 15:
        switch name[5] {
        case 0x65: .apnsExpiration
        case 0x63: .apnsChannelID
        case 0x72: .apnsRequestID
        case 0x74: .acceptEncoding
        default: nil
        }
      case 16: name[0] == 0x70 ? .proxyConnection : .apnsCollapseID
      case 17: .transferEncoding
      default: nil
      }
    self = .other
    if let candidate, name.isEqual(to: candidate.text) { self = candidate }
  }
}
