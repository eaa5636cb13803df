/// The bodies that come in several frames or several reads.
struct BodyPool {
  private var bodies: [[UInt8]] = []
  private var free: [Int32] = []
  /// Handed over, and given back with the next read.
  private var delivered: [Int32] = []
  /// The bytes of those that are not finished.
  private(set) var byteCount = 0

  mutating func make() -> Int32 {
    if let last = free.popLast() { return last }
    bodies.append([])
    return Int32(truncatingIfNeeded: bodies.count &- 1)
  }

  subscript(body: Int32) -> [UInt8] { bodies[Int(body)] }

  mutating func append(_ bytes: UnsafeRawBufferPointer, to body: Int32) {
    bodies[Int(body)].append(contentsOf: bytes)
    byteCount &+= bytes.count
  }

  mutating func release(_ body: Int32) {
    byteCount &-= bodies[Int(body)].count
    forget(body)
  }

  mutating func deliver(_ body: Int32) {
    byteCount &-= bodies[Int(body)].count
    delivered.append(body)
  }

  private mutating func forget(_ body: Int32) {
    bodies[Int(body)] = []
    free.append(body)
  }

  /// Forgets what was handed over before.
  @inline(__always)
  mutating func beginRead() {
    guard !delivered.isEmpty else { return }
    for body in delivered { forget(body) }
    delivered.removeAll(keepingCapacity: true)
    if free.count == bodies.count { (bodies, free) = ([], []) }
  }
}
