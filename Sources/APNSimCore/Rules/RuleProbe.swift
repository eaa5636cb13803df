import APNSimWire

/// A quick test that any notification passes that a rule could fit, in words that can be compared at once.
///
/// A rule that asks for one token, identifier, place or text fits hardly any notification, and finding that out by
/// its matchers (hex digits, a parsed payload) costs a hundred times what everything else does. So the probe goes
/// first. It may say yes wrongly, never no.
struct RuleProbe: BitwiseCopyable {
  private struct Demands: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let nth = Demands(rawValue: 1 << 0)
    static let command = Demands(rawValue: 1 << 1)
    static let identifier = Demands(rawValue: 1 << 2)
    static let token = Demands(rawValue: 1 << 3)
  }

  private var demands: Demands = []
  private var nth = 0.0
  private var command = 0.0
  private var identifier = NotificationIdentifier.none
  /// The first eight bytes of the token.
  private var token: UInt64 = 0
  /// Pairs of characters that the payload must have.
  private var pairs: UInt64 = 0

  init(_ match: RuleMatch, _ catalogue: inout PayloadPairs.Catalogue) {
    if let value = Self.number(match.nth) { (nth, _) = (value, demands.insert(.nth)) }
    if let value = Self.number(match.command) { (command, _) = (value, demands.insert(.command)) }
    if let bytes = Self.bytes(match.identifier), bytes.count == 4 {
      identifier = NotificationIdentifier(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
      demands.insert(.identifier)
    }
    if let bytes = Self.bytes(match.token), bytes.count >= 8 {
      token = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      demands.insert(.token)
    }
    for test in match.payload {
      if let text = Self.text(test.matcher) { pairs |= catalogue.set(of: text) }
    }
  }

  private static func number(_ matcher: Matcher?) -> Double? {
    if case .equals(let value) = matcher { value.doubleValue } else { nil }
  }

  private static func bytes(_ matcher: Matcher?) -> [UInt8]? {
    if case .equals(.string(let digits)) = matcher { Hex.decode(digits) } else { nil }
  }

  /// The text that the matched value has in it, where that is ASCII: anything else may be written in several ways.
  private static func text(_ matcher: Matcher) -> String? {
    switch matcher {
    case .equals(.string(let text)), .contains(let text), .startsWith(let text):
      text.utf8.allSatisfy { $0 < 0x80 } ? text : nil
    default: nil
    }
  }

  /// True where the rule could fit the notification at `place` on its connection.
  @inline(__always)
  func couldFit(
    _ submission: Submission,
    at place: UInt64,
    in buffer: UnsafeRawBufferPointer,
    _ payload: inout PayloadPairs,
    _ catalogue: PayloadPairs.Catalogue
  ) -> Bool {
    let fields = submission.fields
    if demands.contains(.nth), Double(place) != nth { return false }
    if demands.contains(.command), submission.interface.command.map({ Double($0) != command }) ?? true {
      return false
    }
    if demands.contains(.identifier), !fields.hasIdentifier || fields.identifier != identifier {
      return false
    }
    if demands.contains(.token) {
      let bytes = submission.token(in: buffer)
      guard bytes.count >= 8, bytes.loadUnaligned(as: UInt64.self) == token else { return false }
    }
    return pairs == 0 || payload.mayHave(pairs, of: catalogue, submission, in: buffer)
  }
}
