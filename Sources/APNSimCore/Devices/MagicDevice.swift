/// A registration whose token scripts itself, told apart from whoever has its place after it is removed.
struct MagicDevice: BitwiseCopyable, Hashable {
  let registration: UInt32
  /// A number that no other device of this place had within the last four billion that began.
  let serial: UInt32
}
