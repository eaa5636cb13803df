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
  private var limits: Limits
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

extension App: KeptByMembers {
  static let members = Members(Self.init, \.key, \.ledger, \.resends, \.duplicates, \.diligence)
}

extension AppTable: KeptByMembers {
  static let members = Members(checked: Self.init, \.apps)

  private init(_ state: StateReader, _ apps: [App]) throws(StateError) {
    self.init(limits: Limits())
    guard apps.count <= Int(UInt16.max) else {
      throw state.error("at most \(UInt16.max) apps were expected, and \(apps.count) found")
    }
    self.apps = apps
    for (place, app) in apps.enumerated() {
      guard byKey.updateValue(UInt16(place), forKey: app.key) == nil else {
        throw state.error("the app \(app.key) was expected once")
      }
    }
  }

  init(reading state: inout StateReader, limits: Limits) throws(StateError) {
    try self.init(reading: &state)
    self.limits = limits
    for place in apps.indices {
      apps[place].ledger.limit = limits.feedbackTuples
      apps[place].resends.limit = limits.resendIdentifiers
    }
  }
}
