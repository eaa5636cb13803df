import APNSimWire

/// Trying out a notification without its being kept.
extension Simulator {
  /// A simulator that judges one notification as this one would now: with its settings, rules, clock and the device that
  /// the notification is for, and without anything else. What it keeps goes with it.
  ///
  /// Rules that leave their firing to chance are left out, and what counts connections or notifications begins anew.
  /// - Parameter reference: the device's name or token; nil or unknown where there is none.
  package func rehearsal(for reference: String?) throws(CommandError) -> Simulator {
    let device = reference.flatMap { self.device($0) }
    var (configuration, scenario, seed, now, issuer) = withWorld { world in
      (
        world.configuration, world.rehearsal(for: device), world.setup.seed, world.now, world.issuer
      )
    }
    configuration.limits.keep = 16
    scenario.clock = .virtual(start: now)
    return try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: seed,
      start: now,
      tokenIssuer: issuer
    )
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

extension World {
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
      guard !entry.isSpent, rule.when.probability == nil else { return nil }
      rule.times = rule.times.map { $0 - entry.fired }
      let (past, every) = (entry.matches - rule.after, max(1, rule.every))
      rule.after = past < 0 ? -past : (every - past % every) % every
      return rule
    }
    return scenario
  }
}
