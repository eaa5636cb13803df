/// Judges a request: the checks in their order, up to the first that fails.
package enum RequestJudge {
  /// - Parameters:
  ///   - buffer: the bytes of the header block that the request's ranges are in.
  ///   - body: read only where the request describes a channel.
  package static func judge(
    _ request: Request,
    in buffer: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer,
    rules: RequestRules,
    world: StatedWorld
  ) -> RequestVerdict {
    var verdict = RequestVerdict()
    for check in rules.order.checks(of: request) {
      guard let reason = failure(check, of: request, in: buffer, body: body, rules, world) else { continue }
      verdict.failed = check
      verdict.reason = reason
      return verdict
    }
    verdict.isDropped = isExplicitTenOfBackground(request)
    return verdict
  }

  /// The reason for an unknown channel depends on the request: its deletion is BadPath (OBS).
  private static func sent(_ reason: Reason, for request: Request, _ rules: RequestRules) -> Reason {
    guard reason == .channelNotRegistered else { return reason }
    if request.target == .channels, request.method == .delete { return .badPath }
    return rules.quirks.contains(.unknownChannelBad) ? .badChannelId : reason
  }

  private static func isExplicitTenOfBackground(_ request: Request) -> Bool {
    request.target == .device && request.pushType == .background && request.priorityText.isPresent
      && request.priority == 10
  }

  /// The reason for which a check fails: by the request alone, or else by the world.
  @inline(__always)
  private static func failure(
    _ check: RequestCheck,
    of request: Request,
    in buffer: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer,
    _ rules: RequestRules,
    _ world: StatedWorld
  ) -> Reason? {
    switch check {
    case .method: return allows(request) ? nil : .methodNotAllowed
    case .authorization:
      guard world.hasCertificate || request.scheme == .bearer else { return .missingProviderToken }
      return world.authorization
    case .path: return request.target == .unknown ? .badPath : nil
    case .deviceTokenPresence:
      return request.deviceToken.bytes(in: buffer).isEmpty ? .missingDeviceToken : nil
    case .repeats: return request.repeated == nil ? nil : .duplicateHeaders
    case .messageId: return !request.messageId.isPresent || request.isMessageIdCanonical ? nil : .badMessageId
    case .requestId: return !request.requestId.isPresent || request.isRequestIdCanonical ? nil : .badMessageId
    case .topicPresence:
      return world.needsTopic && request.topic.bytes(in: buffer).isEmpty ? .missingTopic : nil
    case .topic: return topicFailure(request, in: buffer) ?? world.topic
    case .pushType: return pushTypeFailure(request)
    case .priority: return hasGoodPriority(request, rules) ? nil : .badPriority
    case .expiration: return hasGoodExpiration(request) ? nil : .badExpirationDate
    case .storageExpiration:
      return !world.channelStores && request.expiration != 0 ? .badExpirationDate : nil
    case .collapseId: return request.collapseId.count > collapseIdLimit ? .badCollapseId : nil
    case .payloadPresence: return request.bodyCount <= 0 ? .payloadEmpty : nil
    case .payloadSize: return request.bodyCount > request.payloadLimit ? .payloadTooLarge : nil
    case .deviceToken: return request.isTokenHexadecimal ? world.deviceToken : .badDeviceToken
    case .registration: return world.registration
    case .tokenTopic: return isSuffixMissing(request) ? .deviceTokenNotForTopic : world.tokenTopic
    case .channelPresence: return request.channelId.bytes(in: buffer).isEmpty ? .missingChannelId : nil
    case .channelId: return isChannelId(request.channelId.bytes(in: buffer)) ? nil : .badChannelId
    case .feature: return world.feature
    case .channel: return world.channel.map { sent($0, for: request, rules) }
    case .channelRoom: return world.channelRoom
    case .description, .attributes, .storagePolicy, .channelPushType:
      guard let defect = ChannelDescription.read(body).defect, defect.check == check else { return nil }
      return defect.reason
    case .none: return nil
    }
  }

  /// The most bytes of a collapse identifier (DOC).
  package static let collapseIdLimit = 64
  /// The most characters of a channel's identifier; the live ones have 24 (INF).
  package static let channelIdLimit = 64

  private static func allows(_ request: Request) -> Bool {
    switch request.target {
    case .device, .broadcast, .unknown: request.method == .post
    case .channels: request.method != .other
    case .allChannels: request.method == .get
    }
  }

  /// A topic is visible ASCII; that of a path has no push type's suffix.
  private static func topicFailure(_ request: Request, in buffer: UnsafeRawBufferPointer) -> Reason? {
    if request.isBroadcast {
      return PushType(suffixOf: request.bundleId.bytes(in: buffer)) == nil ? nil : .topicDisallowed
    }
    return request.isTopicVisible ? nil : .badTopic
  }

  /// A type without a suffix on a topic that has one is InvalidPushType (OBS of `.voip`, INF of the others); the
  /// other way round is ``isSuffixMissing(_:)``.
  private static func pushTypeFailure(_ request: Request) -> Reason? {
    if request.isBroadcast {
      guard request.pushTypeText.isPresent else { return .missingPushType }
      return request.pushType == .liveactivity ? nil : .invalidPushType
    }
    guard request.pushTypeText.isPresent else { return nil }
    guard let type = request.pushType else { return .invalidPushType }
    return type.row.topicSuffix.utf8CodeUnitCount == 0 && request.topicType != nil ? .invalidPushType : nil
  }

  /// A type with a suffix on a topic without it: DeviceTokenNotForTopic (OBS of `.voip`). No topic is the
  /// certificate's.
  private static func isSuffixMissing(_ request: Request) -> Bool {
    guard let type = request.pushType, type.row.topicSuffix.utf8CodeUnitCount > 0 else { return false }
    return request.topic.isPresent && request.topicType != type
  }

  private static func hasGoodPriority(_ request: Request, _ rules: RequestRules) -> Bool {
    guard request.priorityText.isPresent else {
      return request.isBroadcast || request.effectivePushType != .background
        || !rules.quirks.contains(.backgroundNeedsPriority)
    }
    guard request.priority > 0 else { return false }
    return rules.priorities(of: request) & 1 << UInt16(request.priority) != 0
      || rules.quirks.contains(.backgroundPriority10) && isExplicitTenOfBackground(request)
  }

  /// A broadcast must have one.
  private static func hasGoodExpiration(_ request: Request) -> Bool {
    request.expiration != nil || !request.expirationText.isPresent && !request.isBroadcast
  }

  /// Base64 of a length that somebody could have been given.
  private static func isChannelId(_ text: UnsafeRawBufferPointer) -> Bool {
    guard !text.isEmpty, text.count <= channelIdLimit else { return false }
    return withUnsafeTemporaryAllocation(byteCount: Base64.room(for: text), alignment: 1) { room in
      guard text.count % 4 == 0, let start = room.baseAddress else { return false }
      return Base64.read(text, to: start) != nil
    }
  }
}
