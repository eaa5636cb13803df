/// A registration whose token scripts itself, told apart from whoever has its place after it is removed.
struct MagicDevice: BitwiseCopyable, Hashable {
  let registration: UInt32
  /// The how manieth magic it is since the start.
  let serial: UInt32
}
