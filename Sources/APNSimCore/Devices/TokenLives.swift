import DequeModule

/// The lives of tokens: when each died that the service knows to be dead, and how many tokens an app of a device was
/// issued.
///
/// A dead token stays a registration. It is that of an app that was removed from its device, or it was replaced: then it
/// stands beside the device's apps, and no view of the device has it.
struct TokenLives {
  private struct Replaced {
    let registration: UInt32
    let ordinal: UInt64
  }

  /// When each dead token died.
  private var deaths: [UInt32: Timestamp] = [:]
  /// The tokens that were replaced, each with its place among all that ever were.
  private var ordinals: [UInt32: UInt64] = [:]
  private var lastOrdinal: UInt64 = 0
  /// The same, longest replaced first; among them such as live again or were forgotten.
  private var order: Deque<Replaced> = []
  private var byDevice: [UInt32: [UInt32]] = [:]
  /// The numbers of tokens that the apps of devices were issued beside their first.
  private var incarnations: [UInt32: [UInt16: UInt32]] = [:]

  var isEmpty: Bool { deaths.isEmpty && incarnations.isEmpty }

  /// The number of tokens that were replaced.
  var replacedCount: Int { ordinals.count }

  func death(of registration: UInt32) -> Timestamp? { deaths.isEmpty ? nil : deaths[registration] }

  func isReplaced(_ registration: UInt32) -> Bool { !ordinals.isEmpty && ordinals[registration] != nil }

  /// The tokens that a device's apps had before those they have.
  func replaced(of device: UInt32) -> [UInt32] { byDevice[device] ?? [] }

  /// The token that was replaced longest ago.
  mutating func oldestReplaced() -> UInt32? {
    while let oldest = order.first {
      if ordinals[oldest.registration] == oldest.ordinal { return oldest.registration }
      order.removeFirst()
    }
    return nil
  }

  /// A token dies; the first moment counts.
  mutating func end(_ registration: UInt32, at moment: Timestamp) {
    if deaths[registration] == nil { deaths[registration] = moment }
  }

  /// Lets every dead token have died at a moment.
  mutating func endAll(at moment: Timestamp) {
    if !deaths.isEmpty { deaths = deaths.mapValues { _ in moment } }
  }

  /// An app has another token than this one, which is dead.
  mutating func replace(_ registration: UInt32, of device: UInt32) {
    lastOrdinal += 1
    ordinals[registration] = lastOrdinal
    byDevice[device, default: []].append(registration)
    order.append(Replaced(registration: registration, ordinal: lastOrdinal))
    // A token that lives again leaves its place in the order behind.
    guard order.count > 2 * ordinals.count + 64 else { return }
    let ordinals = ordinals
    order.removeAll { ordinals[$0.registration] != $0.ordinal }
  }

  /// A token lives again, or is forgotten.
  mutating func forget(_ registration: UInt32, of device: UInt32) {
    guard deaths.removeValue(forKey: registration) != nil,
      ordinals.removeValue(forKey: registration) != nil
    else { return }
    byDevice[device]?.removeAll { $0 == registration }
    if byDevice[device]?.isEmpty == true { byDevice[device] = nil }
  }

  /// Forgets how many tokens a device's apps were issued.
  mutating func forget(device: UInt32) { incarnations[device] = nil }

  /// The number of the token that an app of a device is issued: 0 for its first.
  func incarnation(of device: UInt32, app: UInt16) -> UInt32 {
    incarnations[device]?[app] ?? 0
  }

  /// The app is issued another token from now on.
  mutating func beginIncarnation(of device: UInt32, app: UInt16) {
    incarnations[device, default: [:]][app, default: 0] &+= 1
  }
}

/// The order says which were replaced; whose they are follows from the registrations.
extension TokenLives: KeptByMembers {
  static let members = Members(
    { TokenLives(deaths: $0, replaced: $1, incarnations: $2) },
    \.deaths,
    \.replaced,
    \.incarnations
  )

  /// The tokens that were replaced, the longest dead first.
  private var replaced: [UInt32] {
    order.filter { ordinals[$0.registration] == $0.ordinal }.map(\.registration)
  }

  private init(
    deaths: [UInt32: Timestamp],
    replaced: [UInt32],
    incarnations: [UInt32: [UInt16: UInt32]]
  ) {
    (self.deaths, self.incarnations) = (deaths, incarnations)
    for registration in replaced {
      lastOrdinal += 1
      ordinals[registration] = lastOrdinal
      order.append(Replaced(registration: registration, ordinal: lastOrdinal))
    }
  }

  func complete(_ state: StateReader) throws(StateError) {
    guard ordinals.count == order.count, ordinals.keys.allSatisfy({ deaths[$0] != nil }) else {
      throw state.error("tokens that were replaced were expected to be dead, each of them once")
    }
  }

  /// Finds out whose the tokens are that were replaced.
  /// - Parameter take: takes the place of one; false where it cannot be that of a dead token.
  mutating func complete(
    _ registrations: borrowing Slab<Registration>,
    devices: UInt32,
    _ state: StateReader,
    _ take: (UInt32, _ device: UInt32) -> Bool
  ) throws(StateError) {
    for registration in deaths.keys {
      guard registration < registrations.count, registrations[registration].flags.contains(.dead) else {
        throw state.error("the token in place \(registration) was expected to be dead")
      }
    }
    for replaced in order {
      let device = registrations[replaced.registration].device
      guard take(replaced.registration, device) else {
        throw state.error("the token in place \(replaced.registration) is that of an app, or of none")
      }
      byDevice[device, default: []].append(replaced.registration)
    }
    guard incarnations.keys.allSatisfy({ $0 < devices }) else {
      throw state.error("an app was issued tokens on a device that is not there")
    }
  }
}

extension DeviceRegistry {
  /// The moment since which a token is refused: of its death, or of its device's word; nil where it is not.
  func refusedSince(_ index: UInt32) -> Timestamp? { lives.death(of: index) ?? disowned(index) }

  /// True for a token whose app is not there, as far as the service can know.
  @inline(__always)
  func isGone(_ index: UInt32) -> Bool {
    let registration = registrations[index]
    return !registration.flags.contains(.installed)
      && (registration.flags.contains(.dead) || devices[registration.device].isOnline)
  }
}
