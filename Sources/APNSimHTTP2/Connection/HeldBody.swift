/// A part of an answer that waits for the peer's windows.
struct HeldBody {
  var stream: UInt32
  var bytes: [UInt8]
  /// The number of them that have been sent.
  var sent = 0
  var endsStream: Bool
}
