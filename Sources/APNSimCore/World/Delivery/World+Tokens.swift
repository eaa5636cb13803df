import APNSimWire

/// Finding what a device token stands for.
extension World {
  /// Finds what a submission's token stands for, or what is wrong with it.
  /// - Parameters:
  ///   - known: what the batch's lookup found.
  ///   - isOnline: what a device is that is made on first sight.
  @inline(__always)
  mutating func resolveToken(
    of submission: UnsafePointer<Submission>,
    _ known: UInt32?,
    isOnline: Bool,
    in buffer: UnsafeRawBufferPointer,
    into record: inout NotificationRecord
  ) {
    let token = submission.pointee.token(in: buffer)
    if let found = known ?? devices.find(app: submission.pointee.app, token: token),
      record.magic || isGood(found)
    {
      record.registration = found
      return
    }
    switch registerOnFirstSight(token, app: submission.pointee.app, isMagic: record.magic, isOnline: isOnline)
    {
    case .success(let made): record.registration = made
    case .failure(let fault):
      record.failed = .token
      record.tokenFault = fault.reason
    }
  }

  /// Notes whose a notification is that goes to no device: the device that has the token, if one is known by it
  /// already.
  func noteOwner(
    of submission: Submission,
    in buffer: UnsafeRawBufferPointer,
    into record: inout NotificationRecord
  ) {
    guard record.registration == Registration.none, submission.fields.tokenStart > 0,
      submission.fields.tokenLength > 0
    else { return }
    record.registration =
      devices.find(app: submission.app, token: submission.token(in: buffer)) ?? Registration.none
  }

  /// The name of a token's device; one that is made on first sight is called by the token before it is seen.
  func deviceName(of token: UnsafeRawBufferPointer, app: UInt16) -> String? {
    if let known = devices.find(app: app, token: token) {
      return devices.name(of: devices.registrations[known].device)
    }
    return mayBeMade(token, app: app) ? Hex.encode(token) : nil
  }

  /// True for a registration whose token the settings take.
  @inline(__always)
  func isGood(_ registration: UInt32) -> Bool {
    configuration.tokens != .issued || devices.registrations[registration].flags.contains(.issued)
  }

  /// True for a token that nobody has and the settings make a device for.
  func mayBeMade(_ token: UnsafeRawBufferPointer, app: UInt16) -> Bool {
    switch configuration.tokens {
    case .any: true
    case .known: false
    case .issued: setup.issuer.open(Array(token), app: apps[app].key) != nil
    }
  }

  struct UnknownToken: Error { var reason: TokenFault }

  /// A token that is not registered for the app: a device on first sight, or no device at all.
  @inline(never)
  private mutating func registerOnFirstSight(
    _ token: UnsafeRawBufferPointer,
    app: UInt16,
    isMagic: Bool,
    isOnline: Bool
  ) -> Result<UInt32, UnknownToken> {
    guard isMagic || mayBeMade(token, app: app) else {
      let isIssued = configuration.tokens == .issued
      let reason = isIssued ? issuedFault(of: Array(token), app: app) : fault(of: token, app: app)
      return .failure(UnknownToken(reason: reason))
    }
    var flags: Registration.Flags = .installed
    if configuration.tokens == .issued, !isMagic { flags.insert(.issued) }
    guard
      devices.liveDevices < configuration.limits.devices,
      let device = devices.addDevice(name: nil, isOnline: isOnline),
      let registration = devices.register(
        device: device,
        app: app,
        token: token,
        flags: flags,
        at: now
      )
    else { return .failure(UnknownToken(reason: .tooManyDevices)) }
    return .success(registration)
  }

  /// The device of a token that removes its app does so, and is made where there is none yet.
  /// - Returns: the registration; nil where there are too many devices.
  mutating func removeApp(of submission: Submission, in buffer: UnsafeRawBufferPointer) -> UInt32? {
    let token = submission.token(in: buffer)
    var found = devices.find(app: submission.app, token: token)
    if found == nil {
      found = try? registerOnFirstSight(token, app: submission.app, isMagic: true, isOnline: true).get()
    }
    guard let found else { return nil }
    devices.uninstall(found)
    return found
  }

  /// The fault of a token, by whose it is: people mix up environments and apps.
  func fault(of token: UnsafeRawBufferPointer, app: UInt16) -> TokenFault {
    let key = apps[app].key
    var fault = TokenFault.unknown
    for (index, other) in apps.enumerated() where index != Int(app) {
      guard devices.find(app: UInt16(index), token: token) != nil else { continue }
      if other.key.topic.isExactly(key.topic) { return .otherEnvironment }
      if other.key.environment == key.environment { fault = .otherApp }
    }
    return fault
  }

  /// A notification goes to a token that its app's feedback list had since the app registered last.
  mutating func noteSentToListed(_ index: UInt32) {
    let registration = devices.registrations[index]
    let app = registration.app
    let wasRead =
      registration.flags.contains(.told)
      || !apps[app].ledger.contains(position: devices.feedbackPosition(of: index))
    if wasRead { devices.noteTold(index) }
    apps[app].diligence.sentToListed(wasRead: wasRead, at: now)
  }
}
