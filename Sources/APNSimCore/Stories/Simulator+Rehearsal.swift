import APNSimWire

/// Trying out a notification without its being kept.
extension Simulator {
  /// A simulator that judges one notification as this one would now: with its settings, rules, clock and the device that
  /// the notification is for, and without anything else. What it keeps goes with it.
  ///
  /// Rules that leave their firing to chance are left out, and what counts connections or notifications begins anew.
  /// - Parameters:
  ///   - device: the one that it is for; nil where none is known.
  ///   - token: the token that it is sent to, of the device or of an activity on one.
  package func rehearsal(for device: DeviceView?, token: [UInt8]) throws(CommandError) -> Simulator {
    let owner = withWorld { world in
      world.activities.activity(of: token).map { world.reference(to: $0.device) }
    }
    let device = device ?? owner.flatMap { self.device($0) }
    var (configuration, scenario, seed, now, issuer) = withWorld { world in
      (
        world.configuration, world.rehearsal(for: device), world.setup.seed, world.now, world.setup.issuer
      )
    }
    let props = withWorld { $0.props(for: device?.reference, token: token) }
    configuration.limits.keep = 16
    scenario.clock = .virtual(start: now)
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: seed,
      start: now,
      tokenIssuer: issuer
    )
    simulator.withWorld { $0.take(props, for: device?.reference) }
    return simulator
  }

  /// The first notification on a connection, of those from a number on.
  package func firstNotification(on connection: ConnectionID, from number: UInt64) -> NotificationView? {
    withWorld { world in
      let (first, end) = (world.history.notifications.first, world.history.notifications.end)
      guard max(number, first) < end else { return nil }
      return (max(number, first)..<end)
        .first { world.history.notifications[$0].connection == connection }
        .map { world.view(of: $0) }
    }
  }

  /// The number that the next notification gets.
  package var nextNumber: UInt64 { withWorld { $0.history.nextNumber } }

  /// The most bytes of a payload by a command of the binary interface.
  package func payloadLimit(command: UInt8) -> Int {
    withWorld { world in
      let limits = world.configuration.frameLimits(tokenSizes: world.devices.tokenSizes)
      return switch command {
      case 0: limits.simplePayload
      case 1: limits.enhancedPayload
      default: limits.framedPayload
      }
    }
  }
}

/// The parts that a scenario has no words for: activities under way, and a token that was replaced.
private struct Props {
  var activities: [(activity: Activity, app: AppKey)] = []
  var staleToken: [UInt8] = []
  var staleApps: [AppKey] = []
}

extension World {
  fileprivate func props(for reference: String?, token: [UInt8]) -> Props {
    var props = Props(staleToken: token, staleApps: activities.apps(ofStale: token))
    guard let reference, let device = try? find(device: reference) else { return props }
    let known = devices.registrations(of: device)
    props.activities = activities.activities(of: device).filter { known.contains($0.registration) }
      .map { ($0, apps[devices.registrations[$0.registration].app].key) }
    return props
  }

  fileprivate mutating func take(_ props: Props, for reference: String?) {
    for app in props.staleApps { activities.noteStale(props.staleToken, app: app) }
    guard let reference, let device = try? find(device: reference) else { return }
    let known = devices.registrations(of: device)
    for (activity, app) in props.activities {
      guard let registration = known.first(where: { apps[devices.registrations[$0].app].key == app })
      else { continue }
      var own = activity
      (own.device, own.registration) = (device, registration)
      activities.add(own, at: now)
    }
  }

  /// The situation of a device, and the rules as far as they have got.
  fileprivate func rehearsal(for device: DeviceView?) -> Scenario {
    let whole = setup.scenario
    var scenario = Scenario()
    scenario.teams = whole.teams
    scenario.silentApps = whole.silentApps
    scenario.activityTypes = whole.activityTypes
    scenario.bundles = whole.bundles
    scenario.devices = device.map { [$0.specification] } ?? []
    scenario.state = book.state
    scenario.rules = book.order.compactMap { index in
      let entry = book.entries[index]
      var rule = entry.rule
      guard !entry.isOut(at: now) else {
        // An outage refuses the next one as well, whatever counts and chance say.
        (rule.times, rule.after, rule.every, rule.when.probability) = (1, 0, 1, nil)
        return rule
      }
      guard !entry.isSpent, rule.when.probability == nil else { return nil }
      rule.times = rule.times.map { $0 - entry.progress.fired }
      let (past, every) = (entry.progress.matches - rule.after, max(1, rule.every))
      rule.after = past < 0 ? -past : (every - past % every) % every
      return rule
    }
    return scenario
  }
}
