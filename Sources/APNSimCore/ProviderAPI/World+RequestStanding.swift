import APNSimWire

/// The world's knowledge of a request before it is judged.
struct RequestStanding {
  var answers: StatedWorld
  /// The meaning of its token, where it has one for its topic.
  var registration: UInt32?
  var tokenFault = TokenFault.none
  /// It is for a Live Activity, or to start one.
  var isOfActivity = false
  /// The activity whose token it has.
  var activity: UInt64?
  /// When the token was no longer good, in milliseconds.
  var expired: Int64?
  /// The token was an app's, to start activities with.
  var isStale = false
  /// The action that it asks of channels, where nothing is wrong with it.
  var channelAction: ChannelAction?
}

extension World {
  /// Looks up what the judge of a request will ask. Nothing changes by it but which tokens its connection, or its team,
  /// has seen.
  mutating func standing(
    of prepared: PreparedRequest,
    on connection: RequestRecord
  ) -> RequestStanding {
    let (submission, bytes) = (prepared.submission, prepared.bytes)
    let isByCertificate = prepared.authorization.hasCertificate
    var standing = RequestStanding(
      answers: StatedWorld(
        hasCertificate: isByCertificate,
        needsTopic: !isByCertificate || connection.opening.provider.topics.count != 1
      )
    )
    if let latest = connection.latest, prepared.isPush, prepared.isLike(latest) {
      (standing.answers.authorization, standing.answers.topic) = (latest.tokenRefusal, latest.topicRefusal)
    } else {
      standing.answers.authorization = refusal(of: prepared, on: connection)
      standing.answers.topic = refusal(ofTopicIn: prepared, connection.opening.provider)
      if prepared.isPush, prepared.topic != nil { connection.latest = latest(of: prepared, standing) }
    }
    if prepared.isBroadcast {
      standChannel(of: prepared, on: connection, &standing)
      return standing
    }
    guard submission.pointee.fields.hasToken else {
      // Longer than any device's, and not read: none of a device, whatever makes devices here.
      standing.tokenFault = .unknown
      standing.answers.deviceToken = .badDeviceToken
      return standing
    }
    let token = submission.pointee.token(in: bytes)
    standing.isOfActivity = prepared.isOfActivity
    if standing.isOfActivity, !activities.isEmpty, standActivity(token, submission.pointee, &standing) {
      return standing
    }
    if let known = devices.find(app: submission.pointee.app, token: token),
      configuration.tokens != .issued || devices.registrations[known].flags.contains(.issued)
    {
      standing.registration = known
      if let expiration = devices.expiration(of: known), expiration <= now {
        standing.answers.registration = .expiredToken
      } else if devices.isGone(known) {
        standing.answers.registration = .unregistered
      }
      return standing
    }
    judgeUnknown(token, submission.pointee, prepared.head, &standing)
    return standing
  }

  /// The answers that those after a push need not be asked for.
  private func latest(of prepared: PreparedRequest, _ standing: RequestStanding) -> RequestRecord.LatestPush {
    RequestRecord.LatestPush(
      authorization: prepared.row.pointee.authorization,
      topic: prepared.row.pointee.topic,
      app: prepared.submission.pointee.app,
      tokenRefusal: standing.answers.authorization,
      topicRefusal: standing.answers.topic
    )
  }

  /// Looks up a token of an activity.
  /// - Returns: false where it is none.
  private func standActivity(
    _ token: UnsafeRawBufferPointer,
    _ submission: Submission,
    _ standing: inout RequestStanding
  ) -> Bool {
    let app = bundle(of: submission.app)
    guard let activity = activities.activity(of: Array(token), app: app) else {
      standing.isStale =
        activities.isStale(Array(token), app: app) && devices.find(app: submission.app, token: token) == nil
      return standing.isStale
    }
    standing.registration = activity.registration
    standing.activity = activity.number
    if now >= activity.over {
      standing.answers.registration = .expiredToken
      standing.expired = activity.over.rawValue
    } else if devices.isGone(activity.registration) {
      standing.answers.registration = .unregistered
    }
    return true
  }

  /// The token means nothing for its topic: a device on first sight, or why it is none.
  private func judgeUnknown(
    _ token: UnsafeRawBufferPointer,
    _ submission: Submission,
    _ request: Request,
    _ standing: inout RequestStanding
  ) {
    switch configuration.tokens {
    case .any:
      guard !isTokenSize(token.count, request) else { return }
      standing.tokenFault = .unknown
    case .known: standing.tokenFault = fault(of: token, app: submission.app)
    case .issued:
      guard setup.issuer.open(Array(token), app: apps[submission.app].key) == nil else { return }
      standing.tokenFault = issuedFault(of: Array(token), app: submission.app)
    }
    if standing.tokenFault == .otherApp {
      standing.answers.tokenTopic = otherAppReason(token, submission)
    } else {
      standing.answers.deviceToken = .badDeviceToken
    }
  }

  /// True for so many bytes as a token may have that nobody has: any from 32 on, since providers are to assume no size
  /// (DOC) and 54 and 80 were seen (OBS); the most is that of the binary interface.
  private func isTokenSize(_ count: Int, _ request: Request) -> Bool {
    if configuration.rules.have(.tokenSizes) {
      return (DeviceToken.byteCount...TokenSizes.maximum).contains(count)
    }
    let isActivity = request.effectivePushType == .liveactivity
    return count == DeviceToken.byteCount || isActivity && count == Self.activityTokenSize
  }

  /// The tokens of Live Activities are longer than devices'.
  private static var activityTokenSize: Int { 80 }

  /// A PushKit token to the plain topic is TopicDisallowed, any other app's token DeviceTokenNotForTopic.
  private func otherAppReason(_ token: UnsafeRawBufferPointer, _ submission: Submission) -> Reason {
    let key = apps[submission.app].key
    let voip = AppKey(topic: key.topic + ".voip", environment: key.environment)
    guard let app = apps.place(of: voip), devices.find(app: app, token: token) != nil else {
      return .deviceTokenNotForTopic
    }
    return .topicDisallowed
  }

  /// The reason why a request's authorization is none; nil where it is good, and where nobody will ask.
  private mutating func refusal(of prepared: PreparedRequest, on connection: RequestRecord) -> Reason? {
    let authorization = prepared.authorization
    if authorization.hasCertificate || authorization.scheme != .bearer { return nil }
    let head = prepared.head
    // The method and the path of a push come before its token.
    guard head.isBroadcast || head.target == .device && head.method == .post else { return nil }
    guard let token = authorization.token else { return .invalidProviderToken }
    let environment = connection.opening.provider.environment
    let age = age(of: token, prepared)
    let moment = ProviderTokenBinding.Moment(
      now: now,
      age: age,
      countsIssue: configuration.rules.have(.clockOfProviderTokens)
    )
    let reason: ProviderTokenReason?
    switch configuration.tokenUpdates {
    case .connection:
      reason = connection.binding.judge(token, in: environment, at: moment, updates: &connection.tokenUpdates)
    case .team:
      reason = connection.binding.judge(
        token,
        in: environment,
        at: moment,
        updates: &connections.tokenUpdates[token.teamID]
      )
    case .off:
      var uncounted: ProviderTokenUpdates?
      reason = connection.binding.judge(token, in: environment, at: moment, updates: &uncounted)
    }
    return reason.map(Reason.init)
  }

  /// The age of a token: by simulated time, from its first sight where the provider's clock was another.
  private mutating func age(of token: ProviderTokenFacts, _ prepared: PreparedRequest) -> TimeSpan {
    if let age = firstSights.age(of: token.number, at: now) { return age }
    let issuedAt = Timestamp(seconds: token.issuedAt)
    guard let real = prepared.realTime else { return now - issuedAt }
    return firstSights.see(token.number, issuedAt: issuedAt, at: now, real: real)
  }

  /// The reason why the provider may not push to a topic; nil where it may.
  private func refusal(
    ofTopicIn prepared: PreparedRequest,
    _ provider: ProviderIdentity
  ) -> Reason? {
    let authorization = prepared.authorization
    if prepared.head.isBroadcast { return refusal(ofBundleIdIn: prepared, authorization, provider) }
    guard prepared.head.topic.isPresent else { return nil }
    guard let topic = prepared.topic else { return .badTopic }
    if authorization.hasCertificate { return provider.topics.contains(topic) ? nil : reasonOfUnlistedTopic }
    guard let token = authorization.token else { return nil }
    if setup.scenario.teams.isEmpty, token.scope.allows(topic: topic) { return nil }
    let bundleId = AppKey(topic: topic, environment: provider.environment).bundleId
    if let team = setup.scenario.teams[bundleId], team != token.teamID { return .topicDisallowed }
    return token.scope.allows(topic: topic) || token.scope.allows(topic: bundleId) ? nil : .topicDisallowed
  }
}

extension World {
  /// The reason for a topic that the certificate does not list (OBS: django-push-notifications #424,
  /// node-pushnotifications #97).
  private var reasonOfUnlistedTopic: Reason {
    configuration.rules.have(.topicOfCertificate) ? .topicDisallowed : .badTopic
  }
}

extension Reason {
  fileprivate init(_ reason: ProviderTokenReason) {
    self =
      switch reason {
      case .expired: .expiredProviderToken
      case .invalid: .invalidProviderToken
      case .unrelatedKey: .unrelatedKeyIdInToken
      case .otherEnvironment: .badEnvironmentKeyIdInToken
      case .tooManyUpdates: .tooManyProviderTokenUpdates
      }
  }
}
