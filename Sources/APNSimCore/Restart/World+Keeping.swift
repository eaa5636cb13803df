/// The state, written down part by part and read back. Observers are no part of it: those who wait, read along or
/// record come anew.
extension World {
  func write(to state: inout StateWriter) {
    state.part("version") { $0.write(raw: StateReader.presentVersion) }
    state.part("setup") { setup.write(to: &$0) }
    state.part("apps") { apps.write(to: &$0) }
    if !devices.lives.isEmpty { state.part("tokenLives") { devices.lives.write(to: &$0) } }
    state.part("devices") { devices.write(to: &$0) }
    state.part("stored") { store.write(to: &$0) }
    state.part("collapsed") { store.collapsed.write(to: &$0) }
    state.part("underway") { underway.write(to: &$0) }
    state.part("activities") { activities.write(to: &$0) }
    state.part("channels") { channels.write(to: &$0) }
    state.part("rules") { book.write(to: &$0) }
    if configuration.rules.have(.retriedToken) {
      state.part("spentTokens") { book.spentTokens.write(to: &$0) }
    }
    state.part("timeline") { timeline.write(to: &$0) }
    state.part("connections") { connections.writeWithMalformed(to: &$0) }
    state.part("tokenUpdates") { connections.tokenUpdates.write(to: &$0) }
    state.part("sessions") { sessions.write(to: &$0) }
    state.part("scriptedFeedback") { apps.scriptedFeedback.write(to: &$0) }
    state.part("history") { history.write(to: &$0) }
    state.part("tally") { tally.write(to: &$0) }
    state.part("random") { random.write(to: &$0) }
    state.part("schedule") { schedule.write(to: &$0) }
    if firstSights.count > 0 { state.part("firstSights") { firstSights.write(to: &$0) } }
  }

  /// About the bytes that it is written as: those of the parts that can be large.
  var leastBytes: Int {
    let registrations = Int(devices.registrations.count) * (MemoryLayout<Registration>.stride + 4)
    let others = Int(devices.devices.count) * MemoryLayout<Device>.stride + store.count * 192
    let records =
      history.notifications.count * MemoryLayout<NotificationRecord>.stride
      + history.deliveries.count * MemoryLayout<DeliveryRecord>.stride + history.eventCount * 128
    return registrations + others + records + history.residentBytes + schedule.count * 24 + 65_536
  }

  /// - Parameters:
  ///   - configuration: what the process was started with, as the one that wrote it was.
  ///   - scenario: likewise.
  init(
    reading state: inout StateReader,
    configuration: Configuration,
    scenario: Scenario,
    issuer: any TokenIssuing,
    texts: any StateTexts
  ) throws(StateError) {
    state.version = try state.part("version") { (state) throws(StateError) in try Self.version(&state) }
    let setup = try state.part("setup") { (state) throws(StateError) in
      try Setup(reading: &state, configuration, scenario, issuer: issuer, texts: texts)
    }
    let limits = setup.configuration.limits
    var apps = try state.part("apps") { (state) throws(StateError) in
      try AppTable(reading: &state, limits: limits)
    }
    let devices = try Self.devices(reading: &state, apps: apps.count)
    let (deviceCount, registrations) = (devices.devices.count, devices.registrations.count)
    var store = try state.part("stored") { (state) throws(StateError) in
      try StoredNotifications(reading: &state, for: devices)
    }
    store.collapsed = try state.part("collapsed") { (state) throws(StateError) in
      try CollapsedNotifications(reading: &state, registrations: registrations, store: store)
    }
    let underway = try state.part("underway") { (state) throws(StateError) in
      try UnderwayNotifications(reading: &state, apps: apps.count, store: store)
    }
    let activities = try state.part("activities") { (state) throws(StateError) in
      try ActivityBook(reading: &state, devices: deviceCount, registrations: registrations)
    }
    let channels = try state.part("channels") { (state) throws(StateError) in
      try ChannelBook(reading: &state, limits: limits, registrations: registrations)
    }
    let book = try Self.book(reading: &state, setup, texts)
    let timeline = try state.part("timeline") { (state) throws(StateError) in
      try Timeline(reading: &state, entries: setup.scenario.timeline)
    }
    var connections = try state.part("connections") { (state) throws(StateError) in
      try ConnectionBook(reading: &state, limits: limits)
    }
    connections.tokenUpdates = try state.part("tokenUpdates") { (state) throws(StateError) in
      try TeamTokenUpdates(reading: &state)
    }
    let sessions = try state.part("sessions") { (state) throws(StateError) in
      try DeviceSessions(
        reading: &state,
        devices: deviceCount,
        bundles: setup.scenario.bundles,
        badgeAbsent: setup.configuration.badgeAbsent
      )
    }
    apps.scriptedFeedback = try state.part("scriptedFeedback") { (state) throws(StateError) in
      try ScriptedFeedback(reading: &state)
    }
    let history = try state.part("history") { (state) throws(StateError) in
      try History(reading: &state, limits: limits, texts: texts)
    }
    let tally = try state.part("tally") { (state) throws(StateError) in try Tally(reading: &state) }
    let random = try state.part("random") { (state) throws(StateError) in try SeededGenerator(reading: &state)
    }
    let schedule = try state.part("schedule") { (state) throws(StateError) in try Schedule(reading: &state) }
    let firstSights = try Self.firstSights(&state)
    self.setup = setup
    self.apps = apps
    self.devices = devices
    self.store = store
    self.underway = underway
    self.activities = activities
    self.channels = channels
    self.book = book
    self.timeline = timeline
    self.connections = connections
    self.firstSights = firstSights
    self.sessions = sessions
    self.history = history
    self.tally = tally
    self.random = random
    self.schedule = schedule
  }

  private static func devices(reading state: inout StateReader, apps: Int) throws(StateError)
    -> DeviceRegistry
  {
    var lives = TokenLives()
    if state.isAt("tokenLives") {
      lives = try state.part("tokenLives") { (state) throws(StateError) in try TokenLives(reading: &state) }
    }
    return try state.part("devices") { (state) throws(StateError) in
      try DeviceRegistry(reading: &state, apps: apps, lives: lives)
    }
  }

  private static func book(
    reading state: inout StateReader,
    _ setup: Setup,
    _ texts: any StateTexts
  ) throws(StateError) -> RuleBook {
    var book = try state.part("rules") { (state) throws(StateError) in
      try RuleBook(reading: &state) { json in try texts.rule(json) }
    }
    if setup.configuration.rules.have(.retriedToken) {
      book.spentTokens = try state.part("spentTokens") { (state) throws(StateError) in
        try SpentTokens(reading: &state)
      }
    }
    return book
  }

  private static func firstSights(_ state: inout StateReader) throws(StateError) -> FirstSights {
    guard state.isAt("firstSights") else { return FirstSights() }
    return try state.part("firstSights") { (state) throws(StateError) in try FirstSights(reading: &state) }
  }

  private static func version(_ state: inout StateReader) throws(StateError) -> UInt32 {
    let version = try state.raw(UInt32.self)
    guard 1...StateReader.presentVersion ~= version else {
      throw state.error(
        "a state of version \(StateReader.presentVersion) at most was expected, and \(version) found"
      )
    }
    return version
  }

  /// Checks what the parts say of each other, where a wrong place would be reached for.
  fileprivate func check(_ state: StateReader) throws(StateError) {
    guard history.isWithin(registrations: devices.registrations.count, apps: apps.count) else {
      throw state.error("the history names an app or a device that is not there")
    }
    guard connections.namesOnly(apps: apps.count, rules: book.entries.count) else {
      throw state.error("a connection names an app or a rule that is not there")
    }
    guard apps.scriptedFeedback.namesOnly(apps: apps.count) else {
      throw state.error("scripted feedback names an app that is not there")
    }
    for app in apps {
      guard app.resends.discards.allSatisfy({ connections.knows($0) }) else {
        throw state.error("the app \(app.key) awaits a notification that its connection does not have")
      }
    }
    for deadline in schedule.unordered where !isThere(deadline.task) {
      throw state.error("something is due for what is not there")
    }
  }

  /// True if the place that a task names is there.
  private func isThere(_ task: Deadline.Task) -> Bool {
    switch task {
    case .expireStored(let place), .expireCollapsed(let place), .expireToken(let place):
      place < devices.registrations.count
    case .comeOnline(let device), .refuse(let device): device.registration < devices.registrations.count
    case .arrive(let place): place < underway.places
    case .timeline(let index): Int(index) < timeline.entries.count
    case .addFeedback, .sendReply, .closeIdle, .expireBroadcast, .endActivity, .remind: true
    }
  }
}

extension Simulator {
  /// A simulator as it was written down.
  /// - Parameters:
  ///   - texts: reads scenarios, commands and rules.
  ///   - configuration: the one that the simulator was started with that wrote it; scenario, seed and token issuer
  ///     likewise. When it began is in what it wrote.
  /// - Throws: where the bytes are not what ``writeState(room:_:)`` writes.
  package convenience init(
    reading state: inout StateReader,
    texts: any StateTexts,
    configuration: Configuration,
    scenario: Scenario,
    seed: UInt64,
    tokenIssuer: (any TokenIssuing)? = nil
  ) throws(StateError) {
    let world = try World(
      reading: &state,
      configuration: configuration,
      scenario: scenario,
      issuer: tokenIssuer ?? SeededTokenIssuer(seed: seed),
      texts: texts
    )
    guard state.isAtEnd else { throw state.error("the state was expected to end") }
    try world.check(state)
    self.init(world, configuration: configuration, scenario: scenario)
  }
}

extension StateTexts {
  /// A rule as ``Rule/write(to:)`` writes it: what a command adds.
  fileprivate func rule(_ json: [UInt8]) throws -> Rule {
    let command = try command(Array("{\"\(CommandName.ruleAdd.rawValue)\":".utf8) + json + Array("}".utf8))
    guard case .addRule(let rule) = command else { throw StateError("a rule was expected", at: 0) }
    return rule
  }
}
