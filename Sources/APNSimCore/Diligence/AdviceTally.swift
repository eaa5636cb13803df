/// How often one kind of advice was called for, and when.
struct AdviceTally: BitwiseCopyable, Hashable, Sendable {
  private(set) var count: UInt64 = 0
  /// What else the kind counts: bytes of white space, sends to tokens that had been read.
  private(set) var amount: UInt64 = 0
  private(set) var first = Timestamp(rawValue: 0)
  private(set) var last = Timestamp(rawValue: 0)

  mutating func add(_ count: Int, amount: Int, from: Timestamp, to: Timestamp) {
    if self.count == 0 { first = from }
    self.count &+= UInt64(clamping: count)
    self.amount &+= UInt64(clamping: amount)
    last = to
  }
}
