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

extension Expiry: KeptByCases {
  enum Tag: UInt8, CaseIterable { case absent, doNotStore, at }

  func write(to state: inout StateWriter) {
    switch self {
    case .absent: state.write(Tag.absent)
    case .doNotStore: state.write(Tag.doNotStore)
    case .at(let moment): state.write(Tag.at, moment)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .absent: .absent
      case .doNotStore: .doNotStore
      case .at: try state.read(Self.at)
      }
  }
}
