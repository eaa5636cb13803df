/// That a notification reached a device: where its record is in the history, and which app's it is.
struct Delivery {
  var ordinal: UInt64
  /// The index of the registration that it was for.
  var registration: UInt32
}
