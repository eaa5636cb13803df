/// One simulated device. Those made on first sight have no name and cost 12 bytes beside their registration.
struct Device: BitwiseCopyable {
  var firstRegistration: UInt32
  /// Index into the registry's names; `unnamed` for a device known by its token only.
  var name: UInt32
  var isOnline: Bool
  /// How many connections hold it online through the device port.
  var presence: UInt16 = 0

  static var unnamed: UInt32 { .max }
}
