/// One app on one device: what a device token stands for, and what the service needs to know of it at each
/// notification, in the 64 bytes of one cache line. The rest is in the registry.
struct Registration: BitwiseCopyable {
  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let installed = Flags(rawValue: 1 << 0)
    /// The token was issued by this simulator.
    static let issued = Flags(rawValue: 1 << 1)
    /// The token is not 32 bytes long and stands in `DeviceRegistry.oddTokens`.
    static let oddToken = Flags(rawValue: 1 << 2)
    /// The token has a tuple in its app's feedback list, which began at its `feedbackPosition`.
    static let listed = Flags(rawValue: 1 << 3)
    /// The token was listed since the app registered last.
    static let disowned = Flags(rawValue: 1 << 4)
    /// Its provider has read so.
    static let told = Flags(rawValue: 1 << 5)
    /// The service knows that the token is dead: see ``TokenLives``.
    static let dead = Flags(rawValue: 1 << 6)
  }

  /// The token; its hash repeated when the token is odd.
  var token: DeviceToken
  /// When the app registered last: what a provider compares a feedback timestamp with.
  var registeredAt: Timestamp
  /// The ordinal of the latest delivery in the history, 0 for none; deliveries are chained from there.
  var lastDelivery: UInt64 = 0
  var device: UInt32
  /// Handle of the one stored notification, 0 for none.
  var stored: UInt32 = 0
  /// The app's badge; 0 is no badge.
  var badge: Int32 = 0
  var app: UInt16
  var flags: Flags
  /// Nothing in it is left as memory happens to be: it is written down as it lies.
  private let rest: UInt8 = 0

  init(
    token: DeviceToken,
    registeredAt: Timestamp,
    device: UInt32,
    app: UInt16,
    flags: Flags
  ) {
    self.token = token
    self.registeredAt = registeredAt
    self.device = device
    self.app = app
    self.flags = flags
  }

  static var none: UInt32 { .max }
}

/// One simulated device, in 8 bytes; the registry has its name, if it was given one.
struct Device: BitwiseCopyable {
  var firstRegistration: UInt32
  var isOnline: Bool
  /// True if a connection to the device port holds it online.
  var isConnected = false
  /// True if it was given a name, so that there is one to look up.
  var isNamed = false
  /// Nothing in it is left as memory happens to be: it is written down as it lies.
  private let rest = false

  init(firstRegistration: UInt32, isOnline: Bool, isNamed: Bool) {
    (self.firstRegistration, self.isOnline, self.isNamed) = (firstRegistration, isOnline, isNamed)
  }
}

/// A registration whose token scripts itself, told apart from whoever has its place after it is removed.
struct MagicDevice: BitwiseCopyable, Hashable {
  let registration: UInt32
  /// A number that no other device of this place had within the last four billion that began.
  let serial: UInt32
}
