/// The places of a registry that was kept. Each is an app's of one device, or waits, or is free: otherwise two would come to
/// have one place, or the apps of a device would have no end.
struct RestoredPlaces {
  private var isTaken: [Bool]
  private var isGone: [Bool]

  /// - Parameters:
  ///   - free: the free places of registrations.
  ///   - freeDevices: those of devices.
  init(
    _ registrations: UInt32,
    _ free: [UInt32],
    _ devices: UInt32,
    _ freeDevices: [UInt32],
    _ retired: RetiredPlaces,
    _ state: StateReader
  ) throws(StateError) {
    isTaken = [Bool](repeating: false, count: Int(registrations))
    isGone = [Bool](repeating: false, count: Int(devices))
    for index in free { isTaken[Int(index)] = true }
    for index in freeDevices { isGone[Int(index)] = true }
    for place in retired.all {
      switch place {
      case .registration(let index):
        guard index < registrations, !isTaken[Int(index)] else {
          throw state.error("the app in place \(index) cannot have been removed")
        }
        isTaken[Int(index)] = true
      case .device(let index):
        guard index < devices, !isGone[Int(index)] else {
          throw state.error("the device in place \(index) cannot have been removed")
        }
        isGone[Int(index)] = true
      }
    }
  }

  /// The number of places that are an app's of a device.
  var left: Int { isTaken.count { !$0 } }

  var liveDevices: Int { isGone.count { !$0 } }

  /// True for a place that no app of a device has.
  func isOut(_ index: UInt32) -> Bool { isTaken[Int(index)] }

  /// Takes a place for an app of a device; false where it cannot be that.
  mutating func take(_ index: UInt32, for device: UInt32) -> Bool {
    guard index < isTaken.count, !isTaken[Int(index)], !isGone[Int(device)] else { return false }
    isTaken[Int(index)] = true
    return true
  }
}

extension RestoredPlaces {
  /// The places of all tokens that were kept: of the apps of devices, and of those that were replaced.
  func tokens(
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>,
    _ facts: RareFacts,
    _ lives: inout TokenLives,
    apps: Int,
    _ state: StateReader
  ) throws(StateError) -> [UInt32] {
    let rows = registrations.rows
    for index in 0..<registrations.count {
      guard rows[index].device < devices.count, Int(rows[index].app) < apps else {
        throw state.error("the app in place \(index) is no app of a device")
      }
    }
    var (found, taken) = ([UInt32](), self)
    found.reserveCapacity(left)
    for device in 0..<devices.count {
      var next = devices[device].firstRegistration
      while next != Registration.none {
        guard taken.take(next, for: device), rows[next].device == device else {
          throw state.error("the app in place \(next) is not that of device \(device)")
        }
        found.append(next)
        next = facts.sibling(of: next)
      }
    }
    try lives.complete(registrations, devices: devices.count, state) { place, device in
      found.append(place)
      return taken.take(place, for: device)
    }
    guard found.count == left else {
      throw state.error("\(left - found.count) apps that no device has were not expected")
    }
    return found
  }
}

extension HashTable {
  /// The index of tokens, made again from those that were kept.
  static func ofTokens(
    _ tokens: [UInt32],
    _ registrations: borrowing Slab<Registration>,
    _ oddTokens: OddTokens,
    _ places: RestoredPlaces,
    _ state: StateReader
  ) throws(StateError) -> HashTable {
    let rows = registrations.rows
    var odd = 0
    var table = HashTable(for: tokens.count)
    for place in tokens {
      if rows[place].flags.contains(.oddToken) {
        odd += 1
      } else {
        table.insert(rows.hash(place), place: place) { rows.hash($0) }
      }
    }
    let meant = oddTokens.meant
    for (index, app) in meant {
      guard !places.isOut(index), rows[index].flags.contains(.oddToken), rows[index].app == app else {
        throw state.error("the app in place \(index) does not have the token that means it")
      }
    }
    guard meant.count == odd else {
      throw state.error("\(odd) tokens of odd lengths were expected, and \(meant.count) found")
    }
    return table
  }
}

extension Slab<Registration>.Rows {
  /// The hash by which the index has a registration.
  func hash(_ index: UInt32) -> UInt64 { self[index].token.hash(app: self[index].app) }
}

extension StateReader {
  /// Looks ahead at the free places of a slab, which is what is read next.
  func freePlaces<Record: BitwiseCopyable>(of type: Record.Type) throws(StateError) -> [UInt32] {
    var ahead = self
    let count = try ahead.rows(type).count
    let free = [UInt32](try ahead.rows(UInt32.self))
    guard free.allSatisfy({ $0 < count }) else { throw error("free places below \(count) were expected") }
    return free
  }
}
