/// One app on one device: what a device token stands for, and everything the service knows of it.
struct Registration: BitwiseCopyable {
  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let installed = Flags(rawValue: 1 << 0)
    /// The token was issued by this simulator.
    static let issued = Flags(rawValue: 1 << 1)
    /// The token is not 32 bytes long and stands in `DeviceRegistry.oddTokens`.
    static let oddToken = Flags(rawValue: 1 << 2)
    /// The token has a tuple in its app's feedback list, which began at `feedbackPosition`.
    static let listed = Flags(rawValue: 1 << 3)
    /// It was listed since the app registered last.
    static let disowned = Flags(rawValue: 1 << 4)
    /// Its provider has read so.
    static let told = Flags(rawValue: 1 << 5)
  }

  /// The token; its hash repeated when the token is odd.
  var token: DeviceToken
  /// When the app registered last: what a provider compares a feedback timestamp with.
  var registeredAt: Timestamp
  /// When a magic token was first seen, which its times count from; `nil` as the far past.
  private var magicStart = Timestamp(rawValue: .min)
  /// The ordinal of the latest delivery in the history, 0 for none; deliveries are chained from there.
  var lastDelivery: UInt64 = 0
  /// Which reading of the feedback list the position belongs to, and the tuple's place in it.
  var feedbackPosition: UInt64 = 0
  var device: UInt32
  /// The next app of the same device; `none` at the end.
  var nextOfDevice: UInt32
  /// Handle of the one stored notification, 0 for none.
  var stored: UInt32 = 0
  /// The app's badge; 0 is no badge.
  var badge: Int32 = 0
  var app: UInt16
  var flags: Flags

  /// When the magic of the token began; nil before it has, and for ordinary tokens.
  var magicSince: Timestamp? {
    get { magicStart.rawValue == .min ? nil : magicStart }
    set { magicStart = newValue ?? Timestamp(rawValue: .min) }
  }

  init(
    token: DeviceToken,
    registeredAt: Timestamp,
    device: UInt32,
    nextOfDevice: UInt32,
    app: UInt16,
    flags: Flags
  ) {
    self.token = token
    self.registeredAt = registeredAt
    self.device = device
    self.nextOfDevice = nextOfDevice
    self.app = app
    self.flags = flags
  }

  static var none: UInt32 { .max }
}
