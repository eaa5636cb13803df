import APNSimWire

/// Redacts the feedback service's bytes on one connection, byte by byte, however they were cut.
struct TupleStream {
  private let pseudonyms: TokenPseudonyms
  /// The tuple that is being read, as far as it has come.
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

  /// Stops at missing bytes, after which the beginning of the next tuple is not known.
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
