internal import APNSimWire

/// Which pairs of neighbouring bytes a payload has, roughly, for ``RuleProbe``: several pairs share a place, so a
/// text that has all its pairs may be there, and one that lacks any is not.
struct PayloadPairs: ~Copyable {
  /// The first pairs of a text that is looked for.
  struct Wanted: BitwiseCopyable {
    private var places = SIMD8<UInt8>()
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ text: String) {
      for (first, second) in zip(text.utf8, text.utf8.dropFirst()) where count < 8 {
        places[count] = PayloadPairs.place(first, second)
        count += 1
      }
    }

    @inline(__always)
    fileprivate func allSatisfy(_ isThere: (Int) -> Bool) -> Bool {
      for index in 0..<count where !isThere(Int(places[index])) { return false }
      return true
    }
  }

  private enum State {
    /// The payload has not been looked at.
    case unread
    case read
    /// It may write the same text in several ways, so nothing can be said.
    case unknown
  }

  private var state = State.unread
  private let isThere: UnsafeMutablePointer<Bool>

  private static var count: Int { 256 }

  init() {
    isThere = .allocate(capacity: Self.count)
    isThere.initialize(repeating: false, count: Self.count)
  }

  deinit { isThere.deallocate() }

  /// Another notification has its turn.
  @inline(__always)
  mutating func forget() { state = .unread }

  /// Whether the payload may have all these pairs. It is read when the first rule asks.
  mutating func has(_ wanted: Wanted, _ judged: JudgedFrame, in buffer: UnsafeRawBufferPointer) -> Bool {
    if state == .unread { read(judged, judged.frame.payload(in: buffer)) }
    return state == .unknown || wanted.allSatisfy { isThere[$0] }
  }

  private mutating func read(_ judged: JudgedFrame, _ payload: UnsafeRawBufferPointer) {
    state = .unknown
    guard payload.count > 0, judged.payload.facts.encoding == .utf8 else { return }
    isThere.update(repeating: false, count: Self.count)
    var previous = payload[0]
    var bits = previous
    for next in payload.dropFirst() {
      // With an escape the same text may be there in other bytes.
      if next == UInt8(ascii: "\\") { return }
      isThere[Int(Self.place(previous, next))] = true
      bits |= next
      previous = next
    }
    if bits < 0x80 { state = .read }
  }

  @inline(__always)
  private static func place(_ first: UInt8, _ second: UInt8) -> UInt8 { first &* 31 &+ second }
}
