/// Everything of one app that is not a device's: its feedback list, its providers' unfinished resends.
struct App {
  let key: AppKey
  var ledger: FeedbackLedger
  var resends: ResendTracker
  var duplicates = DuplicateWatch()
  /// The habits of its provider.
  var diligence = DiligenceWatch()
}

/// The apps that the simulator has met, each at a place that it never leaves, within a bound.
struct AppTable: RandomAccessCollection {
  private var apps: [App] = []
  private var byKey: [AppKey: UInt16] = [:]
  private let limits: Limits
  /// Scripted tuples that come into the lists of apps later.
  var scriptedFeedback = ScriptedFeedback()

  init(limits: Limits) { self.limits = limits }

  /// The most apps that there may be: they are counted in 16 bits.
  var limit: Int { Swift.min(limits.apps, Int(UInt16.max)) }

  var startIndex: Int { 0 }
  var endIndex: Int { apps.count }

  subscript(place: Int) -> App {
    @inline(__always) _read { yield apps[place] }
    @inline(__always) _modify { yield &apps[place] }
  }

  subscript(place: UInt16) -> App {
    @inline(__always) _read { yield apps[Int(place)] }
    @inline(__always) _modify { yield &apps[Int(place)] }
  }

  /// The places of all apps.
  var places: Range<UInt16> { 0..<UInt16(apps.count) }

  /// The place of an app; nil for one that has not been met.
  func place(of key: AppKey) -> UInt16? { byKey[key] }

  /// The place of an app, which is made if there is room; nil where there is none.
  mutating func add(_ key: AppKey) -> UInt16? {
    if let known = byKey[key] { return known }
    guard apps.count < limit else { return nil }
    let place = UInt16(apps.count)
    apps.append(
      App(
        key: key,
        ledger: FeedbackLedger(limit: limits.feedbackTuples),
        resends: ResendTracker(limit: limits.resendIdentifiers)
      )
    )
    byKey[key] = place
    return place
  }
}

extension App {
  func write(to state: inout StateWriter) {
    key.write(to: &state)
    ledger.write(to: &state)
    resends.write(to: &state)
    duplicates.write(to: &state)
    diligence.write(to: &state)
  }

  init(reading state: inout StateReader, limits: Limits) throws(StateError) {
    key = try state.read()
    ledger = try FeedbackLedger(reading: &state, limit: limits.feedbackTuples)
    resends = try ResendTracker(reading: &state, limit: limits.resendIdentifiers)
    duplicates = try state.read()
    diligence = try state.read()
  }
}

extension AppTable {
  func write(to state: inout StateWriter) {
    state.write(count: apps.count)
    for app in apps { app.write(to: &state) }
  }

  init(reading state: inout StateReader, limits: Limits) throws(StateError) {
    self.init(limits: limits)
    let count = try state.count()
    guard count <= Int(UInt16.max) else {
      throw state.error("at most \(UInt16.max) apps were expected, and \(count) found")
    }
    for place in 0..<count {
      let app = try App(reading: &state, limits: limits)
      guard byKey.updateValue(UInt16(place), forKey: app.key) == nil else {
        throw state.error("the app \(app.key) was expected once")
      }
      apps.append(app)
    }
  }
}
