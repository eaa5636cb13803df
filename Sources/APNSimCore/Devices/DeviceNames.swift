import APNSimWire

/// The names that devices were given. The others are known by their tokens only.
struct DeviceNames {
  /// The names of devices, removed ones among them as long as the history may tell of them.
  private var byDevice: [UInt32: String] = [:]
  /// The devices that have their names now.
  private var byName: [ExactText: UInt32] = [:]
  /// For devices that were given one late, the number of the first notification from then on.
  private var givenFrom: [UInt32: UInt64] = [:]
  /// The number of times that a name was given or taken.
  private(set) var changes: UInt64 = 0

  /// True if any device has or had a name, as far as anything tells of it.
  var isEmpty: Bool { byDevice.isEmpty }

  /// The number of devices that have a name now.
  var count: Int { byName.count }

  /// All names that devices have now, in their order.
  var sorted: [(name: String, device: UInt32)] {
    byName.map { (name: $0.key.text, device: $0.value) }.sorted { ExactText($0.name) < ExactText($1.name) }
  }

  func name(of device: UInt32) -> String? { byDevice[device] }

  /// The name that a device had been given by the time a notification came.
  func name(of device: UInt32, at number: UInt64) -> String? {
    if let first = givenFrom[device], number < first { return nil }
    return byDevice[device]
  }

  func device(named name: String) -> UInt32? { byName[ExactText(name)] }

  /// Makes room for so many names.
  mutating func reserve(_ count: Int) {
    byDevice.reserveCapacity(count)
    byName.reserveCapacity(count)
  }

  /// Gives a device a name that no other has.
  /// - Parameter number: notifications before this one came to a device without a name; nil where there were none.
  mutating func give(_ name: String, to device: UInt32, from number: UInt64? = nil) {
    (byDevice[device], byName[ExactText(name)]) = (name, device)
    if number != nil || !givenFrom.isEmpty { givenFrom[device] = number }
    changes += 1
  }

  /// Lets others have the name of a device that is removed, which is remembered.
  mutating func take(from device: UInt32) {
    guard let name = byDevice[device] else { return }
    byName[ExactText(name)] = nil
    changes += 1
  }

  /// Forgets a removed device.
  mutating func forget(_ device: UInt32) {
    if byDevice.removeValue(forKey: device) != nil { changes += 1 }
    givenFrom[device] = nil
  }
}

extension DeviceNames: KeptByMembers {
  static let members = Members(
    checked: Self.init,
    \.byDevice,
    \.removed,
    \.givenFrom,
    \.changes
  )

  private init(
    _ state: StateReader,
    _ byDevice: [UInt32: String],
    _ removed: KeptPlaces,
    _ givenFrom: [UInt32: UInt64],
    _ changes: UInt64
  ) throws(StateError) {
    try state.expectCounted(changes)
    (self.byDevice, self.givenFrom, self.changes) = (byDevice, givenFrom, changes)
    let removed = Set(removed.places)
    byName.reserveCapacity(byDevice.count)
    for (device, name) in byDevice where removed.isEmpty || !removed.contains(device) {
      guard byName.updateValue(device, forKey: ExactText(name)) == nil else {
        throw state.error("one device of the name \"\(name)\" was expected")
      }
    }
  }

  /// - Parameter devices: there are places of devices below it.
  init(reading state: inout StateReader, devices: UInt32) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(byDevice.keys, below: devices)
    try state.expect(givenFrom.keys, below: devices)
  }

  /// The devices that were removed and whose names are remembered, in the order of their places.
  private var removed: KeptPlaces {
    guard byName.count < byDevice.count, let last = byDevice.keys.max() else { return KeptPlaces([]) }
    var hasName = [Bool](repeating: false, count: Int(last) + 1)
    for device in byName.values { hasName[Int(device)] = true }
    return KeptPlaces(byDevice.keys.filter { !hasName[Int($0)] }.sorted())
  }
}
