/// The body of a request that creates a channel: `{"message-storage-policy":1,"push-type":"LiveActivity"}`.
package struct ChannelDescription: Hashable, Sendable {
  package enum StoragePolicy: Int, BitwiseCopyable, Hashable, Sendable {
    /// No message is stored.
    case none = 0
    /// The most recent one is, for up to eight hours.
    case mostRecent = 1
  }

  /// The first thing wrong with it.
  package enum Defect: BitwiseCopyable, Hashable, Sendable {
    case unparseable, unknownAttribute, noStoragePolicy, noPushType, otherPushType

    package var reason: Reason {
      switch self {
      case .unparseable: .badRequestPayload
      case .unknownAttribute: .badRequestParams
      case .noStoragePolicy: .missingChannelQueueSize
      case .noPushType: .missingPushType
      case .otherPushType: .invalidPushType
      }
    }

    var check: RequestCheck {
      switch self {
      case .unparseable: .description
      case .unknownAttribute: .attributes
      case .noStoragePolicy: .storagePolicy
      case .noPushType, .otherPushType: .channelPushType
      }
    }
  }

  /// Nil where it is missing or neither 0 nor 1.
  package var storagePolicy: StoragePolicy?
  package var defect: Defect?

  package static func read(_ body: UnsafeRawBufferPointer) -> ChannelDescription {
    guard body.count <= PushType.broadcastPayloadLimit, let value = try? JSONValue.parse(body),
      let members = value.objectValue
    else { return ChannelDescription(defect: .unparseable) }
    let policy = value.member("message-storage-policy")?.intValue.flatMap(StoragePolicy.init)
    var description = ChannelDescription(storagePolicy: policy)
    if !members.allSatisfy({ $0.key == "message-storage-policy" || $0.key == "push-type" }) {
      description.defect = .unknownAttribute
    } else if policy == nil {
      description.defect = .noStoragePolicy
    } else if let type = value.member("push-type") {
      let name = Array((type.stringValue ?? "").utf8)
      let isGood = name.withUnsafeBytes { PushType($0, ignoringCase: true) == .liveactivity }
      if !isGood { description.defect = .otherPushType }
    } else {
      description.defect = .noPushType
    }
    return description
  }

  /// The body of the answer to a reading of the channel.
  package static func body(of policy: StoragePolicy) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("message-storage-policy", policy.rawValue)
    writer.member("push-type", "LiveActivity")
    writer.endObject()
    return writer.bytes
  }

  /// The body of the answer to the request for all channels.
  package static func body(listing channels: some Sequence<String>) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("channels", channels)
    writer.endObject()
    return writer.bytes
  }
}
