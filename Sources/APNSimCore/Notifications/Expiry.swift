import APNSimWire

/// The wish of a notification about being kept for an offline device.
///
/// It governs storage only: "Notifications to online devices are delivered regardless of expiry time" (WWDC 2011,
/// session 517).
enum Expiry: BitwiseCopyable, Hashable {
  /// Command 0, or command 2 without the item: kept for the storage period, at the price of becoming stale.
  case absent
  /// Zero, and in the guide's edition anything below it: not kept at all.
  case doNotStore
  /// Kept until then.
  case at(Timestamp)

  @inline(__always)
  init(_ fields: NotificationFields) {
    guard fields.hasExpiry else {
      self = .absent
      return
    }
    self = fields.expiry <= 0 ? .doNotStore : .at(Timestamp(seconds: fields.expiry))
  }
}
