package import APNSimWire

/// Looking into a simulator. Each answer is one consistent moment.
extension Simulator {
  /// The notifications still in the history, oldest first.
  package func notifications(limit: Int = .max) -> [NotificationView] {
    withWorld { world in
      let ring = world.history.notifications.first..<world.history.notifications.end
      return ring.suffix(limit).map { world.view(of: $0) }
    }
  }

  /// A consistent stretch of the history, small enough that nobody waits long for the lock.
  package struct NotificationSlice: Sendable {
    package var views: [NotificationView]
    /// The number to go on from.
    package var next: UInt64
    /// True if there is nothing from there on.
    package var isLast: Bool
  }

  /// The next notifications from a number on, oldest first: as many as are wanted, or fewer to let others in.
  package func notifications(
    from number: UInt64,
    limit: Int,
    matching query: CompiledQuery? = nil
  ) -> NotificationSlice {
    withWorld { world in
      let ring = (first: world.history.notifications.first, end: world.history.notifications.end)
      var next = min(max(number, ring.first), ring.end)
      let end = query?.stretch(next..<ring.end, in: world).upperBound ?? ring.end
      var views: [NotificationView] = []
      while next < end, views.count < min(limit, 100) {
        let match = if let query { query.firstMatch(next..<end, in: world) } else { next as UInt64? }
        if let match { views.append(world.view(of: match)) }
        next = match.map { $0 + 1 } ?? end
      }
      return NotificationSlice(views: views, next: next, isLast: next == ring.end)
    }
  }

  /// The notification of that number, if the history still has it.
  package func notification(_ number: UInt64) -> NotificationView? {
    withWorld { $0.history.notifications.contains(number) ? $0.view(of: number) : nil }
  }

  /// The devices that were added by name, by name.
  package func devices() -> [DeviceView] {
    withWorld { world in world.devices.namedDevices.map { world.view(ofDevice: $0.device) } }
  }

  /// Devices that were made on first sight, the newest first, and the number of all of them.
  /// - Parameter most: no more than so many.
  package func unnamedDevices(most: Int) -> (devices: [DeviceView], count: Int) {
    withWorld { world in
      let (devices, count) = world.devices.unnamedDevices(most: most)
      return (devices.map { world.view(ofDevice: $0) }, count)
    }
  }

  /// A device by its name, or by a token of it in hex digits.
  package func device(_ name: String) -> DeviceView? {
    withWorld { world in (try? world.find(device: name)).map { world.view(ofDevice: $0) } }
  }

  /// The notifications that a device got after a delivery, oldest first, with what its user would see; nil for a device that
  /// is not there.
  /// - Parameters:
  ///   - limit: at most so many of them.
  ///   - shown: only those that are on the screen.
  ///   - room: and no more once they take so many bytes: strings files make much of a small payload.
  package func inbox(
    of name: String,
    after ordinal: UInt64 = 0,
    limit: Int = .max,
    shown: Bool = false,
    room: Int = .max
  ) -> InboxPage? {
    let found = withDevice(name) { world, device in
      let kept = world.deliveries(to: device, after: ordinal).kept
      let deliveries = zip(kept, world.screen(kept)).filter { delivery, place in
        !shown || place.hiddenBy == nil && world.isVisible(delivery)
      }
      return (deliveries.count, deliveries.prefix(limit).map { ($0.ordinal, world.notification($0, $1)) })
    }
    guard let ((count, deliveries), contexts) = found else { return nil }
    var page = InboxPage()
    var left = room
    for (ordinal, notification) in deliveries where left > 0 {
      let presented = notification.presented(contexts)
      page.notifications.append(presented)
      page.next = ordinal
      left -= min(left, presented.size)
    }
    if page.notifications.count == count { page.next = nil }
    return page
  }

  /// The one notification that waits for each app of a device, with what its user would see.
  package func stored(for device: String) -> [DeviceNotification]? {
    withDevice(device) { world, device in world.stored(for: device) }
      .map { stored, contexts in stored.map { $0.presented(contexts) } }
  }

  /// Looks for something of a device, and for what presentations need, which are made outside the lock.
  private func withDevice<Found>(
    _ name: String,
    _ find: (borrowing World, UInt32) -> Found
  ) -> (Found, [AppKey: PresentationContext])? {
    withWorld { world in
      guard let device = try? world.find(device: name) else { return nil }
      var contexts: [AppKey: PresentationContext] = [:]
      for index in world.devices.registrations(of: device) {
        let app = world.apps[world.devices.registrations[index].app].key
        contexts[app] = world.presentationContext(of: index)
      }
      return (find(world, device), contexts)
    }
  }

  /// The feedback list of an app as it stands.
  package func feedback(for app: AppKey) -> [FeedbackTuple] {
    feedback(for: app, from: 0, limit: .max).tuples
  }

  /// A page of it from a lasting position on, and where the next begins; nil at the end.
  package func feedback(
    for app: AppKey,
    from position: UInt64,
    limit: Int
  ) -> (tuples: [FeedbackTuple], next: UInt64?) {
    withWorld { world in
      world.apps.place(of: app).map { world.apps[$0].ledger.tuples(from: position, most: limit) } ?? ([], nil)
    }
  }

  /// The apps the simulator has met.
  package func apps() -> [AppKey] { withWorld { world in world.apps.map(\.key).sorted() } }

  /// The counts since the last reset.
  package var tally: Tally { withWorld { $0.tally } }

  /// The number of everything, for metrics.
  package var stock: Stock {
    withWorld { world in
      Stock(
        devices: world.devices.liveDevices,
        stored: world.store.count,
        feedback: world.apps.reduce(0) { $0 + $1.ledger.count },
        openConnections: world.connections.openCount + world.sessions.count,
        requestsInFlight: world.connections.pendingAnswers,
        connections: world.connections.total,
        history: world.history.notifications.count,
        waits: world.waits.waits.count
      )
    }
  }

  /// The number of everything at one moment.
  package struct Stock: Hashable, Sendable {
    package var devices: Int
    package var stored: Int
    /// Tuples that wait to be read.
    package var feedback: Int
    package var openConnections: Int
    /// Requests over HTTP/2 whose answers wait for their moment.
    package var requestsInFlight: Int
    /// Connections ever.
    package var connections: UInt64
    package var history: Int
    package var waits: Int
  }

  /// The clock's time, and whether it runs.
  package struct ClockView: Hashable, Sendable {
    package var now: Timestamp
    package var isVirtual: Bool
    package var isRunning: Bool
    /// The distance by which a clock that follows the system's was moved from it, in whole seconds; nil for none.
    package var moved: TimeSpan?
  }

  /// The clock at a wall time.
  package func clock(at now: Timestamp) -> ClockView {
    look(at: now) { world in
      var view = ClockView(now: world.now, isVirtual: world.clock.isVirtual, isRunning: world.clock.isRunning)
      let seconds = (world.now - now).milliseconds / 1000
      if !view.isVirtual, seconds != 0 { view.moved = .seconds(seconds) }
      return view
    }
  }

  /// Connections that are open or still remembered, in the order they came.
  package func connections() -> [ConnectionView] {
    withWorld { world in world.connections.all.map { world.view(of: $0) } }
  }

  /// The newest refused connections that the history has, in the order they came.
  package func refusedConnections(most: Int) -> [ConnectionRefusal] {
    withWorld { $0.history.refusals(most: most) }
  }

  package func connection(_ id: ConnectionID) -> ConnectionView? {
    withWorld { world in world.connections[id].map { world.view(of: $0) } }
  }

  /// The expectations of the timeline that have been looked at, in order.
  package func expectationResults() -> [Expectation.Result] { withWorld { $0.timeline.results } }

  /// The commands of the timeline that could not be carried out so far.
  package func timelineFailures() -> [TimelineFailure] { withWorld { $0.timeline.failures } }

  /// Looks now whether an expectation holds.
  package func evaluate(_ expectation: Expectation) -> Expectation.Result {
    withWorld { $0.evaluate(expectation) }
  }

  /// The simulated time at which something is due next, whether the clock runs or stands still.
  package var nextDeadline: Timestamp? { withWorld { $0.schedule.nextDeadline } }

  /// The number of expiries and other deadlines that wait, stale ones included.
  package var pendingDeadlines: Int { withWorld { $0.schedule.count } }

  /// Bytes of memory that the frames in the history take.
  package var historyBytes: Int { withWorld { $0.history.residentBytes } }
}
