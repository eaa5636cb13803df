import APNSimHTTP2
import APNSimWire

extension RequestHeader {
  /// The header of a name, if it means something to the service.
  @inline(__always)
  init?(_ name: HeaderName) {
    switch name {
    case .method: self = .method
    case .path: self = .path
    case .authority: self = .authority
    case .host: self = .host
    case .authorization: self = .authorization
    case .apnsID: self = .messageId
    case .apnsTopic: self = .topic
    case .apnsPushType: self = .pushType
    case .apnsPriority: self = .priority
    case .apnsExpiration: self = .expiration
    case .apnsCollapseID: self = .collapseId
    case .apnsChannelID: self = .channelId
    case .apnsRequestID: self = .requestId
    case .other, .scheme, .status, .contentLength, .te, .apnsUniqueID, .contentType, .userAgent, .accept,
      .acceptEncoding, .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade:
      return nil
    }
  }
}
