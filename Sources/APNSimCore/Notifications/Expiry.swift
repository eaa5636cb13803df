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

extension Expiry: Kept {
  func write(to state: inout StateWriter) {
    switch self {
    case .absent: state.write(raw: 0 as UInt8)
    case .doNotStore: state.write(raw: 1 as UInt8)
    case .at(let moment):
      state.write(raw: 2 as UInt8)
      moment.write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    self =
      switch try state.raw(UInt8.self) {
      case 0: .absent
      case 1: .doNotStore
      case 2: .at(try state.read())
      case let tag: throw state.error("an expiry was expected, and tag \(tag) found")
      }
  }
}
