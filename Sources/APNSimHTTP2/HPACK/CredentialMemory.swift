/// The values of `authorization` that came last on a connection, as they were coded, and what they were named.
///
/// A provider sends its token in full with every request, and comparing coded bytes takes a hundredth of decoding them.
/// There are four, because providers alternate between teams.
struct CredentialMemory: ~Copyable {
  private static var capacity: Int { 4 }
  /// Longer ones are decoded each time: no provider token comes near it.
  private static var longest: Int { 2048 }

  private struct Memory {
    var coded: [UInt8]
    var credential: Credential
  }

  /// The name that a value was given, and its length in bytes.
  struct Credential {
    var name: UInt32
    var valueCount: Int
  }

  private var memories: [Memory] = []
  private var next = 0
  /// The one that came last is compared first.
  private var last = 0

  /// The name that this literal was given, if it is one of the last.
  @inline(__always)
  mutating func credential(of literal: UnsafeRawBufferPointer) -> Credential? {
    guard last < memories.count else { return nil }
    if memories[last].coded.withUnsafeBytes({ $0.isEqual(to: literal) }) { return memories[last].credential }
    return search(literal)
  }

  @inline(never)
  private mutating func search(_ literal: UnsafeRawBufferPointer) -> Credential? {
    guard
      let found = memories.indices.first(where: {
        memories[$0].coded.withUnsafeBytes { $0.isEqual(to: literal) }
      })
    else { return nil }
    last = found
    return memories[found].credential
  }

  /// Remembers a literal in place of the oldest.
  mutating func remember(_ literal: UnsafeRawBufferPointer, as name: UInt32, valueCount: Int) {
    guard literal.count <= Self.longest else { return }
    let memory = Memory(
      coded: Array(literal),
      credential: Credential(name: name, valueCount: valueCount)
    )
    if memories.count < Self.capacity {
      last = memories.count
      memories.append(memory)
    } else {
      last = next
      memories[next] = memory
      next = (next &+ 1) % Self.capacity
    }
  }
}
