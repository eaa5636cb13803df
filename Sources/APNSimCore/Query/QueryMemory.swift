import APNSimWire

/// Findings of a query that it remembers for as long as they hold: which apps pass, and who has a name.
struct QueryMemory {
  /// Conditions on an app, and by app whether it passes.
  private var conditions: [Query.Condition] = []
  private var verdicts: [[Bool]] = []
  /// Names of devices, and who has them.
  private var names: [String] = []
  private var devices: [[UInt32]] = []
  /// Tests of statuses that no reason has.
  private var statuses: [Matcher] = []
  private var epoch: Epoch?

  /// While these stay the same, what is remembered holds.
  struct Epoch: Equatable {
    var beginning: UInt64
    var namings: UInt64
    var apps: Int
  }

  mutating func add(_ condition: Query.Condition) -> Int {
    conditions.append(condition)
    return conditions.count - 1
  }

  mutating func add(name: String) -> Int {
    names.append(name)
    return names.count - 1
  }

  mutating func add(statuses matcher: Matcher) -> Int {
    statuses.append(matcher)
    return statuses.count - 1
  }

  /// True for a request that was answered as a rule words it, with a status that passes.
  @inline(never)
  func isPassing(_ status: RequestStatus, _ index: Int) -> Bool {
    statuses[index].matches(status.number.map { .number("\($0)") })
  }

  /// Finds out anew what may have changed.
  /// - Parameter app: the app of a place.
  @inline(__always)
  mutating func update(_ now: Epoch, _ devices: borrowing DeviceRegistry, _ app: (Int) -> AppKey) {
    if epoch != now { learn(now, devices, app) }
  }

  @inline(never)
  private mutating func learn(_ now: Epoch, _ registry: borrowing DeviceRegistry, _ app: (Int) -> AppKey) {
    // Everything begins anew, or an app has joined the others.
    let known = epoch?.beginning == now.beginning ? epoch?.apps ?? 0 : 0
    verdicts = conditions.indices.map { index in
      let condition = conditions[index]
      let fresh = (known..<max(known, now.apps)).map { place in
        let key = app(place)
        return condition.matcher.matches(
          .string(condition.path == "topic" ? key.topic : key.environment.rawValue)
        )
      }
      return (known > 0 ? verdicts[index] : []) + fresh
    }
    devices = names.map { registry.devices(everNamed: $0) }
    epoch = now
  }

  @inline(__always)
  func isPassing(_ app: UInt16, _ index: Int) -> Bool { verdicts[index][Int(app)] }

  /// True for a device that has or had the name.
  @inline(__always)
  func hasName(_ device: UInt32, _ index: Int) -> Bool { devices[index].contains(device) }
}
