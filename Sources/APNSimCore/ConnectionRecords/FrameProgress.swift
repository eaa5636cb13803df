import APNSimWire
import Synchronization

/// The frame of which a connection awaits the rest. Whoever feeds the connection writes it, without the simulator's lock;
/// anybody may read it.
struct FrameProgress: ~Copyable, Sendable {
  /// 0 without one; else, from the lowest bit: bytes and length of 24 bits each, the command of 8, whether the length is
  /// exact.
  private let frame = Atomic<UInt64>(0)
  /// The wall time of the last byte, in milliseconds.
  private let moment = Atomic<Int64>(0)

  /// Notes the frame of which a read has left the beginning; nil where it has left none.
  func note(_ unfinished: UnfinishedFrame?, at wall: Timestamp) {
    var bits: UInt64 = 0
    if let unfinished {
      bits = UInt64(clamping: unfinished.bytes) & 0xFF_FFFF
      bits |= (UInt64(clamping: unfinished.expected) & 0xFF_FFFF) << 24
      bits |= UInt64(unfinished.command) << 48
      if unfinished.isExact { bits |= 1 << 56 }
    }
    moment.store(wall.rawValue, ordering: .relaxed)
    frame.store(bits, ordering: .relaxed)
  }

  var current: UnfinishedFrame? {
    let bits = frame.load(ordering: .relaxed)
    guard bits != 0 else { return nil }
    return UnfinishedFrame(
      command: UInt8(truncatingIfNeeded: bits >> 48),
      bytes: Int(bits & 0xFF_FFFF),
      expected: Int(bits >> 24 & 0xFF_FFFF),
      isExact: bits >> 56 & 1 == 1
    )
  }

  /// The notes so far, to be made again elsewhere.
  struct Mark: BitwiseCopyable {
    fileprivate let frame: UInt64
    fileprivate let moment: Int64
  }

  var mark: Mark {
    Mark(frame: frame.load(ordering: .relaxed), moment: moment.load(ordering: .relaxed))
  }

  func note(_ mark: Mark) {
    moment.store(mark.moment, ordering: .relaxed)
    frame.store(mark.frame, ordering: .relaxed)
  }

  /// True if a frame has been waited for at least so long.
  func hasWaited(_ span: TimeSpan, at wall: Timestamp) -> Bool {
    current != nil && wall - Timestamp(rawValue: moment.load(ordering: .relaxed)) >= span
  }
}
