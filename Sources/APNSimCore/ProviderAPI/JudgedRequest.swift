import APNSimWire

/// A request's submission, with what its door has found out about it and what will be answered.
struct JudgedRequest: JudgedSubmission {
  let submission: UnsafePointer<Submission>
  let buffer: UnsafeRawBufferPointer
  let stream: UInt32
  /// Where its collapse identifier stands.
  let collapseId: ByteRange
  /// Its token removes its app, and nothing else is wrong with it: the service would give Unregistered, whether it has
  /// seen the token before or not.
  let removesApp: Bool
  /// A rule that asks for that reason has decided: the app is gone already.
  private(set) var isAppGone = false
  private(set) var standing: RequestStanding
  private(set) var verdict: RequestVerdict
  var outcome: World.RequestOutcome

  var reason: Reason? { removesApp ? .unregistered : verdict.reason }

  mutating func fate(by decision: Decision, ofRule rule: UInt16, in world: inout World) -> Ruling.Fate? {
    if removesApp, rule > 0, world.book.entries[Int(rule) - 1].asksForReason {
      isAppGone = true
      (verdict.failed, verdict.reason) = (.registration, .unregistered)
      standing.tokenFault = .none
    }
    switch decision {
    case .proceed, .device, .late: return nil
    case .reply, .reason, .end: return .refused(.rule)
    case .swallow: return .swallowed
    case .answer:
      guard let script = world.scriptedAnswer(by: decision) else { return nil }
      guard script.accepts else { return .refused(.rule) }
      return verdict.reason == nil ? nil : .swallowed
    case .request(let fault): return fate(by: fault)
    }
  }

  /// The fate that a fault has for its request; nil where it concerns only the answer and the connection.
  private func fate(by fault: Fault) -> Ruling.Fate? {
    let effect = fault.ofAnswer
    if let goAway = effect.goAway, goAway.lastAnswered(at: stream) < stream { return .discarded }
    return effect.refuses ? .refused(.rule) : nil
  }

  mutating func resolveToken(by decision: Decision, in world: inout World, _ record: inout NotificationRecord)
  {
    if isAppGone { standing.registration = world.removeApp(of: submission.pointee, in: buffer) }
    if isExcused(by: decision, record) { (verdict, standing.tokenFault) = (RequestVerdict(), .none) }
    guard verdict.reason == nil else { return record.failed = Check(verdict.failed) }
    guard isForDevice else { return }
    if isAppGone, let removed = standing.registration { return record.registration = removed }
    let (known, isOnline) = (standing.registration, decision.isDeviceOnline)
    world.resolveToken(of: submission, known, isOnline: isOnline, in: buffer, into: &record)
    // The device of a token that removes its app refuses at once, as any that is online.
    if case .device(let magic) = decision, magic.kind == .uninstalled, record.failed == .none {
      world.devices.uninstall(record.registration)
      standing.registration = record.registration
      (verdict.failed, verdict.reason) = (.registration, .unregistered)
      record.failed = Check(.registration)
    }
  }

  /// True where a script lets a token pass that is none: one that scripts itself is a device under every policy.
  private func isExcused(by decision: Decision, _ record: borrowing NotificationRecord) -> Bool {
    if case .late = decision { return true }
    return record.magic && verdict.failed == .deviceToken
  }

  /// The collapse identifier under which its notification waits; nil where it waits as its app's last one.
  private func waitingIdentifier(in world: borrowing World) -> [UInt8]? {
    guard world.configuration.storedPerApp == .collapseId else { return nil }
    let identifier = collapseId.bytes(in: buffer)
    return identifier.isEmpty ? nil : Array(identifier)
  }

  /// False for a request about channels, and for one that is accepted and ignored.
  private var isForDevice: Bool {
    !verdict.isDropped && !standing.isStale && standing.channelAction == nil
  }

  // Out of line, so that the other door keeps what it shares with this one in line: with two callers it is a function, and
  // frames cost 50 instructions more.
  @inline(never)
  mutating func settle(by decision: Decision, in world: inout World, _ record: inout NotificationRecord) {
    if verdict.isDropped {
      record.outcome = .dropped
      world.noteOwner(of: submission.pointee, in: buffer, into: &record)
    } else if standing.isStale {
      record.outcome = .dropped
      world.ignoreStale(outcome.number)
    } else if let action = standing.channelAction {
      record.outcome = world.perform(action, submission.pointee, in: buffer, record, &outcome)
    } else {
      let identifier = waitingIdentifier(in: world)
      world.settle(submission, decision, in: buffer, &record, under: identifier, isRequest: true)
      if standing.isOfActivity {
        world.noteActivity(standing, submission.pointee, in: buffer, record, outcome.number)
      }
    }
  }
}

extension World {
  /// A push of the type `liveactivity` was accepted: its device looks at it now, or when it is back.
  fileprivate mutating func noteActivity(
    _ standing: RequestStanding,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: NotificationRecord,
    _ number: UInt64
  ) {
    switch record.outcome {
    case .delivered:
      let route = standing.activity.map { ActivityRoute.activity($0) } ?? .app
      showActivity(submission.payload(in: bytes), number, on: record.registration, by: route)
    case .stored where !record.isUnderway:
      activities.noteWaiting(number, for: standing.activity, on: record.registration)
    default: break
    }
  }
}
