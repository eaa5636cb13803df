/// One simulated device, in 8 bytes; the registry has its name, if it was given one.
struct Device: BitwiseCopyable {
  var firstRegistration: UInt32
  var isOnline: Bool
  /// A connection to the device port holds it online.
  var isConnected = false
  /// It was given a name, so that there is one to look up.
  var isNamed = false
}
