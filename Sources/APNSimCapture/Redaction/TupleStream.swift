internal import APNSimWire

/// Redacts what the feedback service wrote on one connection, byte for byte as it comes, however it was cut.
struct TupleStream {
  private let pseudonyms: TokenPseudonyms
  /// The tuple that is being read, as far as it is there.
  private var tuple: [UInt8] = []
  private var isLost = false

  init(_ pseudonyms: TokenPseudonyms) { self.pseudonyms = pseudonyms }

  mutating func receive(_ bytes: [UInt8]) -> [UInt8] {
    guard !isLost else { return FrameStream.blots(bytes.count) }
    var output: [UInt8] = []
    while output.count < bytes.count {
      let rest = bytes[output.count...]
      let header = FeedbackTuple.headerByteCount
      guard tuple.count >= header else {
        let part = rest.prefix(header - tuple.count)
        tuple += part
        output += part
        endTuple()
        continue
      }
      let known = tuple.count - header
      tuple += rest.prefix(tokenLength - known)
      output += pseudonyms.of(tuple[header...], length: tokenLength, from: known)
      endTuple()
    }
    return output
  }

  /// Bytes are missing here: where the next tuple begins is no longer known.
  mutating func lose() { (tuple, isLost) = ([], true) }

  private var tokenLength: Int { Int(tuple[4]) << 8 | Int(tuple[5]) }

  private mutating func endTuple() {
    if tuple.count >= FeedbackTuple.headerByteCount,
      tuple.count == FeedbackTuple.headerByteCount + tokenLength
    {
      tuple.removeAll(keepingCapacity: true)
    }
  }
}
